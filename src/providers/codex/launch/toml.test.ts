import { expect, test } from 'vitest';
import { renderToml } from './toml.ts';

test.each([
  ['plain', '"plain"'],
  ['a "quote" \\ and\nmore\u{7f}', String.raw`"a \"quote\" \\ and\nmore\u007f"`],
  [12, '12'],
  [false, 'false'],
  [[], '[]'],
  [['a', null, 1], '["a",1]'],
  [{ 'x.y "z"': { '.': 'read' }, gone: null }, String.raw`{"x.y \"z\""={"."="read"}}`],
])('%j is %s in TOML', (value, toml) => {
  expect(renderToml(value)).toBe(toml);
});
