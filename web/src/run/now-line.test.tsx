// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Activity, SpeakerState } from '../run-state.ts';
import { NowLine } from './now-line.tsx';

afterEach(cleanup);

const codex: SpeakerState = { id: 'codex', role: 'advisor', name: 'Codex', model: null, depth: 0 };
const writes: Activity = {
  key: 'codex',
  speaker: codex,
  exchangeId: null,
  step: null,
  doing: 'generating',
  tool: null,
};
const command = 'collab resume r';

function told(props: Partial<Parameters<typeof NowLine>[0]>): string | null {
  cleanup();
  render(<NowLine activities={[]} state="running" command={null} {...props} />);
  return screen.queryByRole('region', { name: 'Now' })?.textContent ?? null;
}

test('during a run it names the working agents, or says that there is none', () => {
  expect(told({ activities: [writes] })).toBe('Codex advisor writes');
  expect(told({})).toBe('No agent is working at the moment.');
});

test('a waiting run says what it waits for', () => {
  expect(told({ state: 'waiting' })).toContain('The run waits for an answer');
});

test('an ended run shows nothing: its header has the outcome', () => {
  expect(told({ state: 'ended', activities: [writes] })).toBeNull();
});

test('a failed run says so, and how to continue', () => {
  expect(told({ state: 'ended', activities: [writes], command })).toBe(
    'This run has failed.To continue it, run this in its folder: collab resume r',
  );
});

test('an interrupted run says that its process ended, whatever was in progress, and how to continue', () => {
  expect(told({ state: 'interrupted', activities: [writes], command })).toBe(
    'This run has stopped: its process ended.To continue it, run this in its folder: collab resume r',
  );
  expect(told({ state: 'interrupted' })).toBe('This run has stopped: its process ended.');
});

test('until the server has sent the status, nothing is claimed', () => {
  expect(told({ state: null })).toBe('');
});
