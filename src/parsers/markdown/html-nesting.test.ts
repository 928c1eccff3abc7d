import { expect, test } from 'vitest';
import { createHtmlNesting } from './html-nesting.ts';

function openAfter(...nodes: readonly string[]): readonly boolean[] {
  const nesting = createHtmlNesting();
  for (const node of nodes) nesting.read(node);
  return [nesting.isOpen(), nesting.isOpen('details')];
}

test.each([
  [['<details>'], [true, true]],
  [
    ['<DETAILS open>', '</details>'],
    [false, false],
  ],
  [
    ['<details><details>', '</details>'],
    [true, true],
  ],
  [
    ['<details>', '<summary>x</summary>', '</details>'],
    [false, false],
  ],
  [['<div>'], [true, false]],
  [
    ['<div', 'class="a">'],
    [true, false],
  ],
  [['<br><hr/><img src="a>b">'], [false, false]],
  [['<Foo/>'], [false, false]],
  [
    ['</details>', '<details>'],
    [true, true],
  ],
  [['<!-- <details> -->'], [false, false]],
  [['<!-- <details>'], [false, false]],
  [['<![CDATA[<details>]]><?php <details> ?><!DOCTYPE html>'], [false, false]],
  [['<script>if (a<details) {}</script>'], [false, false]],
  [['<style>a{}</style><textarea><details></textarea>'], [false, false]],
  [
    ['<a title="</details>"><details>', '</a>'],
    [true, true],
  ],
  [["<a title='<details>'></a>"], [false, false]],
  [['a < b and c > d'], [false, false]],
])('after %j an element, and <details>, is open: %j', (nodes, expected) => {
  expect(openAfter(...nodes)).toEqual(expected);
});
