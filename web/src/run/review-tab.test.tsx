// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { cleanup, configure, render, screen, within, type RenderResult } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import type { RunSummary } from '../../../src/client/run-types.ts';
import { ServerProvider } from '../server/server-context.tsx';
import { ReviewTab } from './review-tab.tsx';

const diff = readFileSync('examples/checkout.diff', 'utf8');
const result = report({ findings: [finding({ title: 'Never zero', path: 'src/checkout/refund.ts' })] });

// The tests' document has neither.
beforeAll(() => {
  // The roles of a whole change take seconds on a busy machine.
  configure({ asyncUtilTimeout: 20_000 });
  HTMLDialogElement.prototype.close = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a finding is shown at its place once the change is there, and can be focused', async () => {
  const answers = changesAsked();
  show();
  expect(screen.getByText('Loading …')).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
  answers[0]?.(new Response(diff));
  const file = await screen.findByRole('article', { name: 'src/checkout/refund.ts' });
  expect(within(file).getByRole('article', { name: 'Never zero' })).toBeTruthy();
});

test('a finding stays the same element while the change of the next review is loaded', async () => {
  const answers = changesAsked();
  const { rerender } = show(0);
  answers[0]?.(new Response(diff));
  const before = await screen.findByRole('article', { name: 'Never zero' });
  rerender(tabOf(1));
  expect(screen.getByRole('article', { name: 'Never zero' })).toBe(before);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(new Response(diff.replaceAll('refund.ts', 'repay.ts')));
  await screen.findByRole('article', { name: 'src/checkout/repay.ts' });
});

test('the change is asked for once when the events of its review arrive after it', async () => {
  const answers = changesAsked();
  const { rerender } = render(tabOf(0, 'ended', 5));
  answers[0]?.(new Response(diff));
  await screen.findByRole('article', { name: 'Never zero' });
  rerender(tabOf(5, 'ended', 5));
  expect(answers).toHaveLength(1);
  rerender(tabOf(6, 'ended', 9));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
});

test('findings are shown without a change that cannot be loaded, with the reason', async () => {
  const problem = { title: 'x', status: 503, detail: 'the server is busy' };
  vi.stubGlobal('fetch', async () => Response.json(problem, { status: 503 }));
  show();
  expect(await screen.findByText(/the server is busy/)).toBeTruthy();
  expect(await screen.findByRole('article', { name: 'Never zero' })).toBeTruthy();
});

test('dismissals are asked for again when the review has ended: before, none of its findings can be dismissed', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return new Promise(() => undefined);
  });
  const dismissals = () => asked.filter((url) => url.endsWith('/dismissals')).length;
  const { rerender } = render(tabOf(1, 'running'));
  expect(dismissals()).toBe(1);
  rerender(tabOf(1, 'running'));
  expect(dismissals()).toBe(1);
  rerender(tabOf(1, 'ended'));
  expect(dismissals()).toBe(2);
});

/** Returns the answers to requests for the change; other requests get none. */
function changesAsked(): readonly ((response: Response) => void)[] {
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal(
    'fetch',
    (url: string) =>
      new Promise<Response>((resolve) => {
        if (url.endsWith('/diff')) answers.push(resolve);
        else if (url.includes('/file?')) resolve(new Response(null, { status: 409 }));
      }),
  );
  return answers;
}

function show(round = 1): RenderResult {
  return render(tabOf(round));
}

const choice = { forget: () => undefined, logOut: async () => undefined };
const session = { tenant: 't', version: '1' };

function tabOf(round: number, state: RunSummary['state'] = 'ended', lastSeq = 0): ReactElement {
  return (
    <ServerProvider session={session} choice={choice} isLoggedOut={false}>
      <ReviewTab
        route={{ kind: 'run', conversation: 'c', run: 'r', tab: 'review', finding: null }}
        reviews={Array.from({ length: round }, (_, index) => ({ since: index + 1 }))}
        detail={{ value: { result, state, last_seq: lastSeq } }}
      />
    </ServerProvider>
  );
}
