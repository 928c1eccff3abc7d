import { createGrowingList } from './growing-list.ts';

/** A list whose items are found by a key; a new item replaces the one with the same key in its place. */
export interface KeyedList<Item, Key = string> {
  readonly get: (key: Key) => Item | undefined;
  readonly put: (key: Key, item: Item) => void;
  readonly drop: (isGone: (item: Item) => boolean) => void;
  readonly current: () => readonly Item[];
}

export function createKeyedList<Item, Key = string>(keyOf: (item: Item) => Key): KeyedList<Item, Key> {
  const list = createGrowingList<Item>();
  const indexes = new Map<Key, number>();

  return {
    get(key) {
      const index = indexes.get(key);
      return index === undefined ? undefined : list.at(index);
    },
    put(key, item) {
      const index = indexes.get(key);
      if (index === undefined) indexes.set(key, list.push(item));
      else if (list.at(index) !== item) list.set(index, item);
    },
    drop(isGone) {
      const kept = list.current().filter((item) => !isGone(item));
      if (kept.length === list.length()) return;
      list.replaceAll(kept);
      indexes.clear();
      for (const [index, item] of kept.entries()) indexes.set(keyOf(item), index);
    },
    current: list.current,
  };
}
