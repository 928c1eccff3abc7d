/** The common part of the scripted servers, in addition to a port on loopback: a wait for requests. */

export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Lets a test wait until so many requests have come. */
export function createArrivals() {
  let arrived = 0;
  const waiting = new Set<() => void>();
  return {
    look(count: number): void {
      arrived = count;
      for (const check of waiting) check();
    },
    until: (count: number): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (arrived < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
