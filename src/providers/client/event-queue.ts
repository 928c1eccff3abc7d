/** Items that are pushed by calls and read by iteration. */
export interface EventQueue<Item> {
  push(item: Item): void;
  /** Ends the queue; items pushed before are still delivered. */
  end(): void;
  items(): AsyncGenerator<Item, void, void>;
}

export function createEventQueue<Item>(): EventQueue<Item> {
  const waiting: Item[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  return {
    push(item) {
      waiting.push(item);
      wake?.();
    },
    end() {
      ended = true;
      wake?.();
    },
    async *items() {
      for (;;) {
        const next = waiting.splice(0);
        yield* next;
        if (waiting.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
