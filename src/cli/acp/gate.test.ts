import { expect, test } from 'vitest';
import { applyOptions, approvalOptions, askPermission, startOptions, type PersonAsked } from './gate.ts';

const wanted = {
  toolCallId: 'r/gate:apply',
  title: 'Apply?',
  text: 'a patch',
  kind: 'edit',
  options: applyOptions,
} as const;

/** A person who answers this, or whose answer is awaited by the function. */
function person(answer: unknown) {
  const asked: unknown[] = [];
  const stop = new AbortController();
  const client = {
    async request(...call: readonly unknown[]) {
      asked.push(call);
      return typeof answer === 'function' ? answer(stop) : answer;
    },
  };
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a question uses of a client
  return { asked, stop, here: { client, sessionId: 's', signal: stop.signal } as unknown as PersonAsked };
}

const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

test('the person gets the question with its options, and the chosen one is returned', async () => {
  const { asked, stop, here } = person(selected('apply'));
  expect(await askPermission(here, wanted)).toBe('apply');
  expect(asked).toEqual([
    [
      'session/request_permission',
      {
        sessionId: 's',
        toolCall: {
          toolCallId: 'r/gate:apply',
          title: 'Apply?',
          kind: 'edit',
          status: 'pending',
          content: [{ type: 'content', content: { type: 'text', text: 'a patch' } }],
        },
        options: applyOptions,
      },
      { cancellationSignal: stop.signal, stopWaitingOnCancel: true },
    ],
  ]);
});

test('a long text is cut', async () => {
  const { asked, here } = person(selected('leave'));
  expect(await askPermission(here, { ...wanted, text: 'x'.repeat(16_001) })).toBe('leave');
  expect(Object(asked[0])[1].toolCall.content[0].content.text).toBe(`${'x'.repeat(15_999)}…`);
});

test.each<[string, unknown]>([
  ['is cancelled', { outcome: { outcome: 'cancelled' } }],
  ['is an option that was not offered', selected('approve')],
  ['has no form', { outcome: 'apply' }],
  ['has no option', { outcome: { outcome: 'selected' } }],
  ['is nothing', null],
  [
    'fails',
    () => {
      throw new Error('no dialog');
    },
  ],
  [
    'comes too late',
    (stop: AbortController) => {
      stop.abort();
      return selected('apply');
    },
  ],
])('a choice that %s is none', async (_what, answer) => {
  expect(await askPermission(person(answer).here, wanted)).toBe(null);
});

test('a person who has gone is not asked', async () => {
  const { asked, stop, here } = person(selected('apply'));
  stop.abort();
  expect(await askPermission(here, wanted)).toBe(null);
  expect(asked).toEqual([]);
});

test('the options of each gate', () => {
  const shown = [startOptions, applyOptions, approvalOptions].map((options) =>
    options.map(({ optionId, name, kind }) => `${optionId}: ${name} (${kind})`),
  );
  expect(shown).toEqual([
    ['start: Start (allow_once)', 'leave: Do not start (reject_once)'],
    ['apply: Apply to your files (allow_once)', 'leave: Leave your files as they are (reject_once)'],
    [
      'approve: Approve (allow_once)',
      'revise: Say what to change (reject_once)',
      'stop: Stop the run (reject_once)',
    ],
  ]);
});
