/** Keeps small choices in the browser. If it stores none, they last as long as the page. */
export function remember(name: string, value: string): void {
  keep(() => localStorage, name, value);
}

/** Returns null if nothing is stored, or no longer offered. */
export function remembered<Value extends string>(name: string, offered: readonly Value[]): Value | null {
  const known = kept(() => localStorage, name);
  return offered.find((value) => value === known) ?? null;
}

/** Stores a text; an empty one is removed. */
export function keep(storage: () => Storage, name: string, text: string): void {
  try {
    if (text === '') storage().removeItem(keyOf(name));
    else storage().setItem(keyOf(name), text);
  } catch {
    // A browser set to store nothing refuses; the text then lasts as long as the page.
  }
}

/** Returns null if nothing is stored. */
export function kept(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(keyOf(name));
  } catch {
    return null;
  }
}

function keyOf(name: string): string {
  return `collab.${name}`;
}
