// What a window holds, as the peer tells it.

export interface Held {
  /** How long ago the last change of editors, tabs, texts or selections was, in milliseconds. */
  quiet: number;
  /** Files with a tab of their own, and those that are seen. */
  tabs: string[];
  visible: string[];
  /** The texts of those with a tab. */
  texts: Record<string, string>;
  /** The diffs of proposals, by the file that is proposed. */
  diffs: { path: string; base: string; proposed: string }[];
}
