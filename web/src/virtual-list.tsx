import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { startTransition, useEffect, useLayoutEffect, useRef, useState, type ReactElement } from 'react';

export interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  readonly draw: (item: Item, before: Item | undefined) => ReactElement | null;
  readonly label: string;
  readonly likelyHeightPx: number;
  /** Changes when the part above the list may have grown. */
  readonly above: unknown;
}

/** Rows drawn above and below the visible ones: a search in the page finds them, and they are there when it is scrolled. */
const rowsBeyond = 6;

/** Renders a list of any length in the scrolled page; only the visible part and the rows around it are drawn. */
export function VirtualList<Item>({
  items,
  keyOf,
  draw,
  label,
  likelyHeightPx,
  above,
}: VirtualListProps<Item>): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  // The visible rows are drawn at once, those around them after them: the reader's key or click does not wait for them.
  const [overscan, setOverscan] = useState(0);
  useEffect(() => startTransition(() => setOverscan(rowsBeyond)), []);
  useLayoutEffect(() => {
    const place = list.current?.getBoundingClientRect().top ?? 0;
    setTop(Math.round(place + scrollY));
  }, [above]);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => likelyHeightPx,
    overscan,
    scrollMargin: top,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
  });
  return (
    <ol className="virtual" ref={list} aria-label={label} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        return (
          item !== undefined && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {draw(item, items[index - 1])}
            </li>
          )
        );
      })}
    </ol>
  );
}
