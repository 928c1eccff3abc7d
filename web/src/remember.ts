/** Small choices that a browser keeps. Where it keeps none, they last as long as the page. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(keyOf(name), value);
  } catch {
    // A browser that is told to keep nothing refuses; the choice then holds for this page alone.
  }
}

/** Null where nothing is kept, or none of what is offered. */
export function remembered<Value extends string>(name: string, offered: readonly Value[]): Value | null {
  try {
    const kept = localStorage.getItem(keyOf(name));
    return offered.find((value) => value === kept) ?? null;
  } catch {
    return null;
  }
}

function keyOf(name: string): string {
  return `collab.${name}`;
}
