import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PathText } from './path-text.tsx';

const rendered = (text: string, most?: number) =>
  renderToStaticMarkup(<PathText text={text} {...(most !== undefined && { most })} />);
const unbroken = (text: string) => `<span class="unbroken">${text}</span><wbr/>`;

test('a path may be broken after each slash, and at no other place', () => {
  expect(rendered('Diff: db/0042-cart.sql +12')).toBe(
    `<span>Diff: ${unbroken('db/')}${unbroken('0042-cart.sql')} +12</span>`,
  );
  expect(rendered('Split a bill')).toBe('<span>Split a bill</span>');
});

test('a long part may be broken: it may be wider than the page', () => {
  expect(rendered('a/gift-card-balance-lookup-form.tsx')).toBe(
    `<span>${unbroken('a/')}<span>gift-card-balance-lookup-form.tsx</span><wbr/></span>`,
  );
});

test('a part that is too long loses its middle, and the whole text is the title', () => {
  const text = 'src/gift-card-balance-lookup-form.tsx';
  expect(rendered(text, 20)).toBe(
    `<span title="${text}">${unbroken('src/')}${unbroken('gift-card-…-form.tsx')}</span>`,
  );
});
