// Whether the caret stands in the first or the last line that is seen of a field: only there do the arrow keys leave the text.

let canvas: CanvasRenderingContext2D | null | undefined;

export function atFirstLine(field: HTMLTextAreaElement): boolean {
  if (field.selectionStart !== field.selectionEnd) return false;
  const before = field.value.slice(0, field.selectionStart);
  return !before.includes("\n") && fits(before, field);
}

export function atLastLine(field: HTMLTextAreaElement): boolean {
  if (field.selectionStart !== field.selectionEnd) return false;
  const after = field.value.slice(field.selectionEnd);
  if (after.includes("\n")) return false;
  if (after === "") return true;
  return fits(field.value.slice(field.value.lastIndexOf("\n") + 1), field);
}

// A line that is wrapped is wider than the field. Nobody measures long ones.
function fits(line: string, field: HTMLTextAreaElement): boolean {
  if (line === "") return true;
  if (line.length > 500) return false;
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return false;
  const style = getComputedStyle(field);
  canvas.font = style.font;
  return canvas.measureText(line).width < field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
}
