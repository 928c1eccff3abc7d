// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { RunSummary } from '../../../src/client/run-types.ts';
import { ServerProvider } from '../server/server-context.tsx';
import { RecentRuns } from './recent-runs.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const none = { critical: 0, important: 0, minor: 0 };

function run(id: string, changes: Partial<RunSummary> = {}): RunSummary {
  return {
    run_id: id,
    conversation_id: 'c1',
    kind: 'review',
    title: id,
    state: 'ended',
    outcome: 'clean',
    status: 'success',
    started_at: null,
    ended_at: null,
    findings: none,
    cost_usd: 0.5,
    ...changes,
  };
}

/** Opens the list at a server with these runs, all of one conversation. */
function openList(runs: readonly RunSummary[]): void {
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(
      new URL(url, 'http://localhost').pathname.endsWith('/runs')
        ? { runs, next: null }
        : { conversations: [{ conversation_id: 'c1', updated_at: '', can_continue: true }], next: null },
    ),
  );
  const choice = { forget: () => undefined, logOut: async () => undefined };
  render(
    <ServerProvider session={{ tenant: 't', version: '1' }} choice={choice} isLoggedOut={false}>
      <RecentRuns />
    </ServerProvider>,
  );
}

function shown(): readonly string[] {
  return [...document.querySelectorAll('li')].map(({ textContent }) => textContent);
}

test('a run has its title, its kind, its price, its findings and its end', async () => {
  openList([
    run('with findings', { outcome: 'findings', findings: { critical: 2, important: 0, minor: 1 } }),
    run('beside the change', { outcome: 'findings' }),
    run('clean'),
    run('task', { kind: 'run', outcome: null, status: 'success', findings: null, cost_usd: null }),
    run('at work', { state: 'running', outcome: null, status: null, findings: null }),
    run('turn', { kind: 'turn' }),
  ]);
  await screen.findByText('clean');
  expect(shown()).toEqual([
    'with findingsReview · $0.50▲ 2 critical● 1 minorFindings',
    'beside the changeReview · $0.50outside the changeFindings',
    'cleanReview · $0.50nothing that countsClean',
    'taskTask in four phases · Cost: not knownEnded',
    'at workReviewRunning',
  ]);
  expect(screen.getByText(/^Cost.*: \$1\.50/).textContent).toContain('(not known for 1 more)');
  expect(document.querySelectorAll('a')[2]?.getAttribute('href')).toContain('clean');
});

test('the list can be limited to runs that go on, and to those with findings', async () => {
  openList([
    run('with findings', { outcome: 'findings', findings: { ...none, minor: 1 } }),
    run('clean'),
    run('at work', { state: 'waiting', outcome: null, status: null, findings: null }),
  ]);
  await screen.findByText('clean');
  fireEvent.click(screen.getByText('Unfinished'));
  expect(shown()).toEqual(['at workReviewWaits for an answer']);
  fireEvent.click(screen.getByText('With findings'));
  expect(shown()).toHaveLength(1);
  expect(shown()[0]).toMatch(/^with findings/);
});

test('twelve runs are shown; without any, and without one that fits, there is a note', async () => {
  openList(Array.from({ length: 13 }, (_, index) => run(`r${index}`)));
  await screen.findByText('r0');
  expect(shown()).toHaveLength(12);
  fireEvent.click(screen.getByText('Unfinished'));
  expect(shown()).toEqual([]);
  cleanup();
  openList([]);
  await screen.findByText(/^No runs yet/);
  expect(document.querySelector('button')).toBeNull();
});
