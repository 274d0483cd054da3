// Preact draws what changed in a microtask: what is queued behind the change runs when it is drawn, before the next key.

export function afterDrawing(then: () => void): void {
  queueMicrotask(then);
}
