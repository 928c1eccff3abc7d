import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkTo, newKinds, parseRoute, runTabs, type Route } from './route.ts';

const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,40}$/).filter((text) => text !== '.' && text !== '..');
const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.constant({ kind: 'home' } as const),
  fc.record({ kind: fc.constant('new' as const), what: fc.constantFrom(...newKinds) }),
  fc.record({ kind: fc.constant('conversation' as const), conversation: id }),
  fc.record({
    kind: fc.constant('run' as const),
    conversation: id,
    run: id,
    tab: fc.constantFrom(null, ...runTabs),
    finding: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('run' as const),
    conversation: id,
    run: id,
    tab: fc.constant('review' as const),
    finding: fc.option(fc.string({ minLength: 1 })),
  }),
);

test('a link leads back to the place that it was made from', () => {
  const property = fc.property(routes, (route) => {
    expect(parseRoute(linkTo(route))).toEqual(route);
  });
  fc.assert(property);
});

test('any address is a place', () => {
  const property = fc.property(fc.string(), (hash) => {
    expect(parseRoute(hash).kind).toBeTypeOf('string');
  });
  fc.assert(property);
});

test.each([
  ['', 'home'],
  ['#/nowhere', 'home'],
  ['#/c', 'home'],
  ['#/c/%E0%A4%A', 'conversation'],
  ['#/c/a/r', 'conversation'],
  ['#/c/a/r/b/nothing', 'run'],
])('the address %j is %s', (hash, kind) => {
  expect(parseRoute(hash).kind).toBe(kind);
});
