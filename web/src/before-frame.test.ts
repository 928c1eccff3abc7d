import { expect, test } from 'vitest';
import { byFrame } from './before-frame.ts';

test('a listener is called once a frame for many changes, and never after it was removed', () => {
  const listeners = new Set<() => void>();
  const frames: (() => void)[] = [];
  const subscribe = byFrame(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    (draw) => frames.push(draw),
  );
  let heard = 0;
  const leave = subscribe(() => (heard += 1));
  const change = () => listeners.forEach((listener) => listener());
  const draw = () => frames.splice(0).forEach((frame) => frame());
  change();
  change();
  expect(heard).toBe(0);
  draw();
  expect(heard).toBe(1);
  change();
  leave();
  draw();
  change();
  draw();
  expect(heard).toBe(1);
});
