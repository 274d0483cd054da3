// A component that is drawn again only when one of its props is another.

import { Component, type ComponentChildren, type FunctionComponent, h } from "preact";

export function memo<P extends object>(of: FunctionComponent<P>): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P & { children?: ComponentChildren }>): boolean {
      const now = this.props as Record<string, unknown>;
      const then = next as Record<string, unknown>;
      const keys = new Set([...Object.keys(now), ...Object.keys(then)]);
      for (const key of keys) if (now[key] !== then[key]) return true;
      return false;
    }
    override render(): ComponentChildren {
      return h(of, this.props as P);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
