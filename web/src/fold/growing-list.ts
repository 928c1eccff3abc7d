/** A list that is copied once for each read, however much changes in between. */
export interface GrowingList<Item> {
  readonly length: () => number;
  readonly at: (index: number) => Item | undefined;
  /** @returns its index */
  readonly push: (item: Item) => number;
  readonly set: (index: number, item: Item) => void;
  readonly replaceAll: (items: readonly Item[]) => void;
  /** Returns the same list as long as nothing changes. */
  readonly current: () => readonly Item[];
}

export function createGrowingList<Item>(): GrowingList<Item> {
  let items: Item[] = [];
  let isHandedOut = false;

  function own(): Item[] {
    if (isHandedOut) items = [...items];
    isHandedOut = false;
    return items;
  }

  return {
    length: () => items.length,
    at: (index) => items[index],
    push: (item) => own().push(item) - 1,
    set(index, item) {
      own()[index] = item;
    },
    replaceAll(next) {
      items = [...next];
      isHandedOut = false;
    },
    current() {
      isHandedOut = true;
      return items;
    },
  };
}
