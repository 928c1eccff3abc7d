import { expect, test } from 'vitest';
import {
  advisor,
  called,
  eventStream,
  said,
  screens,
  started,
  used,
} from '../../../test/fixtures/screens/event-streams.ts';
import { systemClock } from '../../system/clock.ts';
import { sessionIn } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { createTerminalScreen } from './terminal-screen.ts';

const clock = { ...systemClock, now: () => 0 };

function createScreen({ ascii = false } = {}) {
  const terminal = createTerminal();
  const { session } = sessionIn({ root: '/home/user/project', env: {} }, { ...terminal.how, clock });
  return {
    screen: createTerminalScreen(session, { ascii }),
    shown: terminal.shown,
    written: terminal.written,
  };
}

const opened = { type: 'chat.opened', conversation_id: 'c', resumed: false, lead: 'anthropic' } as const;

test('the status has the model, its context and the cost, as far as they are known', () => {
  const { screen } = createScreen();
  expect(screen.status()).toBe(null);
  const [first] = eventStream([used(0, 20, null)]);
  screen.recall(eventStream([used(1000, 20, 0.25)]));
  expect(screen.status()).toBe('context 1,020 tokens · $0.25');
  screen.tell({ ...opened, model: 'opus' });
  screen.tell({ type: 'chat.done', outcome: 'done', current_node: null });
  expect(screen.status()).toBe('opus · context 1,020 tokens · $0.25');
  if (first !== undefined) screen.event(first);
  expect(screen.status()).toBe('opus · context 20 tokens');
  screen.recall([]);
  expect(screen.status()).toBe(null);
  const plain = createScreen({ ascii: true });
  plain.screen.tell({ ...opened, model: 'opus' });
  plain.screen.recall(eventStream([used(1, 0, 0)]));
  expect(plain.screen.status()).toBe('opus - context 1 token - $0.0000');
});

test('the context is that of the lead itself: other agents only cost', () => {
  const { screen } = createScreen();
  screen.recall(
    eventStream([
      used(10, 1, 0.1),
      { body: used(500, 1, 0.1), agent: advisor },
      { body: used(700, 1, 0.1), parentAgentId: 'claude' },
    ]),
  );
  expect(screen.status()).toBe('context 11 tokens · $0.30');
});

test('an answer is rendered, and ends with an empty line', () => {
  const { screen, shown } = createScreen();
  screen.begin('answer');
  for (const event of eventStream([started(), ...said('# One\n\n- two\n')])) screen.event(event);
  screen.end();
  expect(shown().replaceAll('⠋ at work · 0 s\r', '')).toBe(
    'Claude Code · claude-opus-4-20250514 · abc123\n  One\n\n  • two\n\n',
  );
});

test('the tool of a user is shown as a pipe shows it', () => {
  const { screen, shown } = createScreen({ ascii: true });
  screen.begin('tool');
  for (const event of screens[1]) screen.event(event);
  screen.end();
  expect(shown()).toBe("\nI'll execute the echo hello command for you.\n[bash] echo hello\n  -> hello\n");
});

test('a failed request that is sent again is shown within an answer', () => {
  const { screen, shown } = createScreen();
  screen.begin('answer');
  for (const event of eventStream([
    { type: 'error', kind: 'network', message: 'no network', retryable: true, repeat_in_ms: 1000 },
  ]))
    screen.event(event);
  screen.end();
  expect(shown()).toContain('no network; trying again in 1 s\n');
});

test('a question holds the live lines, and its edit is not shown again', () => {
  for (const asked of ['t1', null]) {
    const { screen, shown, written } = createScreen();
    screen.hold('t0')();
    screen.begin('answer');
    const edit = called('t1', 'Edit', { file_path: 'a.ts', old_string: 'old', new_string: 'new' });
    for (const event of eventStream([started(), edit])) screen.event(event);
    const before = written().length;
    const release = screen.hold(asked);
    const held = written().slice(before);
    expect(held).not.toBe('');
    release();
    screen.end();
    expect(shown().includes('+new')).toBe(asked === null);
  }
});
