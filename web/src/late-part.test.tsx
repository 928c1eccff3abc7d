// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { latePart } from './late-part.tsx';
import { Guarded } from './shell/guarded.tsx';

afterEach(cleanup);

function Greeting({ name }: { readonly name: string }): ReactElement {
  return <p>Hello, {name}</p>;
}

test('a part is shown as soon as it is loaded, with nothing in between, and at once the next time', async () => {
  let arrive = (_part: typeof Greeting): void => undefined;
  const script = new Promise<typeof Greeting>((resolve) => {
    arrive = resolve;
  });
  const Part = latePart(() => script);
  render(<Part fallback={<p>Loading</p>} name="A" />);
  expect(screen.getByText('Loading')).toBeDefined();
  await act(async () => {
    arrive(Greeting);
    await script;
  });
  // React's own boundary would still show the fallback: it keeps one for 300 ms.
  expect(screen.getByText('Hello, A')).toBeDefined();
  cleanup();
  render(<Part fallback={<p>Loading</p>} name="B" />);
  expect(screen.getByText('Hello, B')).toBeDefined();
});

test('a part that was loaded ahead is shown at once, and one that could not be is loaded by its place', async () => {
  let isAway = true;
  const load = async () => {
    if (isAway) throw new Error('the script is away');
    return Greeting;
  };
  const [Failed, Ready] = [latePart(load), latePart(load)];
  Failed.ahead();
  isAway = false;
  Ready.ahead();
  await Promise.resolve();
  render(<Ready fallback={<p>Loading</p>} name="A" />);
  expect(screen.getByText('Hello, A')).toBeDefined();
  render(<Failed fallback={<p>Loading</p>} name="B" />);
  expect(screen.getByText('Loading')).toBeDefined();
  expect(await screen.findByText('Hello, B')).toBeDefined();
});

test('a part that cannot be loaded is reported by its place, and loaded again by the next', async () => {
  let isAway = true;
  const Part = latePart(async () => {
    if (isAway) throw new Error('the script is away');
    return Greeting;
  });
  const part = <Part fallback={null} name="A" />;
  const { rerender } = render(<Guarded address="here">{part}</Guarded>);
  expect((await screen.findByRole('alert')).textContent).toContain('the script is away');
  isAway = false;
  rerender(<Guarded address="there">{part}</Guarded>);
  expect(await screen.findByText('Hello, A')).toBeDefined();
});
