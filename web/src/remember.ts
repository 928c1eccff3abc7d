/** Small choices that a browser keeps. Where it keeps none, they last as long as the page. */
export function remember(name: string, value: string): void {
  keep(() => localStorage, name, value);
}

/** Null where nothing is kept, or none of what is offered. */
export function remembered<Value extends string>(name: string, offered: readonly Value[]): Value | null {
  const known = kept(() => localStorage, name);
  return offered.find((value) => value === known) ?? null;
}

/** An empty text is forgotten. */
export function keep(storage: () => Storage, name: string, text: string): void {
  try {
    if (text === '') storage().removeItem(keyOf(name));
    else storage().setItem(keyOf(name), text);
  } catch {
    // A browser that is told to keep nothing refuses; the text then lasts as long as the page.
  }
}

/** Null where nothing is kept. */
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
