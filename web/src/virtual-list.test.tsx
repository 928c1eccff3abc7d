// @vitest-environment jsdom
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { VirtualList } from './virtual-list.tsx';

test('a list draws the rows that are visible at once, and those around them afterwards', async () => {
  const place = document.createElement('div');
  const root = createRoot(place);
  const rows = () => place.querySelectorAll('li').length;
  const items = Array.from({ length: 100 }, (_, index) => index);
  flushSync(() =>
    root.render(
      <VirtualList
        items={items}
        keyOf={(item) => item}
        draw={(item) => <p>{item}</p>}
        label="all"
        likelyHeightPx={innerHeight / 10}
        above={null}
      />,
    ),
  );
  const first = rows();
  expect(first).toBeGreaterThan(9);
  await vi.waitFor(() => expect(rows()).toBe(first + 6));
  root.unmount();
});
