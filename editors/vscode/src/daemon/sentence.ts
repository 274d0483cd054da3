// The words of the daemon where they stand alone. Pure: the view has it, too.

/** The daemon's sentences begin small, as they follow a name elsewhere; names stay as they are. */
export function sentence(text: string): string {
  return /^(clined\b|\S*[\d./_-])/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
