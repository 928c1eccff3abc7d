import { expect, test } from 'vitest';
import { eventStream, screens, started } from '../../../test/fixtures/screens/event-streams.ts';
import { sampleKey } from '../reviewed.test-helper.ts';
import { sessionIn } from '../command.test-helper.ts';
import { createJsonScreen, createTextScreen } from './chat-screen.ts';

function createText(ascii = true) {
  const { session, printed } = sessionIn({ root: '/home/user/project', env: {} });
  return { screen: createTextScreen(session, { ascii }), printed };
}

const repeated = eventStream([
  { type: 'error', kind: 'network', message: 'no\u001b[2J network', retryable: true, repeat_in_ms: 1500 },
  { type: 'error', kind: 'network', message: 'no network', retryable: true },
]);

test('an answer has its introduction, its work and its statistics', () => {
  const { screen, printed } = createText();
  screen.begin('answer');
  for (const event of screens[1]) screen.event(event);
  screen.end();
  expect(printed().out).toBe(
    [
      '',
      '[init] Claude Code: model=claude-opus-4-20250514, id=abc123',
      '',
      "I'll execute the echo hello command for you.",
      '[bash] echo hello',
      '  -> hello',
      '',
      '[stats] duration_ms=1234, cost_usd=0.001000, input_tokens=10, output_tokens=20, next_session_tokens=30',
      '',
    ].join('\n'),
  );
});

test('the lead is introduced once, until it has another model', () => {
  const { screen, printed } = createText();
  for (const model of ['a', 'a', 'b']) {
    screen.begin('answer');
    for (const event of eventStream([started({ model })])) screen.event(event);
    screen.end();
  }
  expect(printed().out.match(/\[init\].*/g)).toEqual([
    '[init] Claude Code: model=a, id=abc123',
    '[init] Claude Code: model=b, id=abc123',
  ]);
});

test('a tool of the user has neither introduction nor statistics', () => {
  const { screen, printed } = createText();
  screen.begin('tool');
  for (const event of screens[1]) screen.event(event);
  screen.end();
  expect(printed().out).toBe(
    "\nI'll execute the echo hello command for you.\n[bash] echo hello\n  -> hello\n",
  );
});

test('events outside of an answer show nothing but a request that is sent again', () => {
  const { screen, printed } = createText();
  for (const event of [...screens[1], ...repeated]) screen.event(event);
  screen.begin('answer');
  screen.end();
  screens[1].forEach((event) => screen.event(event));
  expect(printed()).toEqual({ out: '', err: 'no␛[2J network; trying again in 2 s\n' });
});

test('output and refusals are printed without control characters and secrets', () => {
  const { screen, printed } = createText();
  screen.print('history', 'one\u001b[2J\n\n');
  screen.refuse(`no ${sampleKey}`, null);
  screen.refuse('no\u001b', `hint\u001b ${sampleKey}`);
  screen.tell({ type: 'chat.done', outcome: 'done', current_node: null });
  screen.recall([]);
  screen.hold('c')();
  expect(screen.status()).toBe(null);
  expect(printed().out).toBe('one␛[2J\n');
  const masked = '*'.repeat(sampleKey.length);
  expect(printed().err).toBe(`no ${masked}\nno␛\n  hint␛ ${masked}\n`);
});

test('a program gets everything as JSON lines', () => {
  const { session, printed } = sessionIn({ root: '/', env: {} });
  const screen = createJsonScreen(session);
  const [event] = screens[1];
  screen.begin('answer');
  if (event !== undefined) screen.event(event);
  screen.end();
  screen.print('history', 'one');
  screen.refuse(`no ${sampleKey}`, null);
  screen.refuse('no', `hint ${sampleKey}`);
  screen.tell({ type: 'chat.done', outcome: 'done', current_node: null });
  screen.recall([]);
  screen.hold('c')();
  expect(screen.status()).toBe(null);
  const lines = printed().out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    event,
    { type: 'chat.output', command: 'history', text: 'one' },
    { type: 'chat.refused', message: expect.not.stringContaining(sampleKey) },
    { type: 'chat.refused', message: 'no', hint: expect.not.stringContaining(sampleKey) },
    { type: 'chat.done', outcome: 'done', current_node: null },
  ]);
});
