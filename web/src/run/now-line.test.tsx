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

test('while a run goes on it says who is at work, or that no agent is', () => {
  expect(told({ activities: [writes] })).toBe('Codex advisor writes');
  expect(told({})).toBe('No agent is at work at this moment.');
});

test('a run that waits says what for', () => {
  expect(told({ state: 'waiting' })).toContain('The run waits for an answer');
});

test('of a run that has ended nothing is said: its head says what it came to', () => {
  expect(told({ state: 'ended', activities: [writes] })).toBeNull();
});

test('a run that failed says so, and what goes on with it', () => {
  expect(told({ state: 'ended', activities: [writes], command })).toBe(
    'The run has ended without having come through.Where it was started, this goes on with it: collab resume r',
  );
});

test('a run that was interrupted says that nobody drives it, whatever was under way, and what goes on with it', () => {
  expect(told({ state: 'interrupted', activities: [writes], command })).toBe(
    'The run stands still: whoever drove it is gone.Where it was started, this goes on with it: collab resume r',
  );
  expect(told({ state: 'interrupted' })).toBe('The run stands still: whoever drove it is gone.');
});

test('as long as nobody has said how the run stands, nothing is said of it', () => {
  expect(told({ state: null })).toBe('');
});
