import { expect, test } from 'vitest';
import type { Harvest } from '../../providers/contract/contract.ts';
import { recoverLostCall } from './lost-call.ts';

function recover(number: number, found: Harvest, lostSessionId: string | null = 's') {
  return recoverLostCall({ number, lostSessionId }, async () => found);
}

const lostTwice = {
  kind: 'ended',
  result: {
    kind: 'cut',
    message: 'the call was lost twice with its process',
    sessionId: 's',
    uncounted: false,
  },
};

test('a call that was not lost is no matter of this', async () => {
  expect(await recover(3, { kind: 'not_sent' }, null)).toBeNull();
});

test('a lost call is repeated once: afresh if the agent does not know of it, else in its session', async () => {
  expect(await recover(2, { kind: 'not_sent' })).toEqual({ kind: 'afresh' });
  expect(await recover(2, { kind: 'interrupted' })).toEqual({ kind: 'go_on', sessionId: 's' });
});

test.each(['not_sent', 'interrupted'] as const)(
  'a call that was lost twice is not made a third time, also if it is %s',
  async (kind) => {
    expect(await recover(3, { kind })).toEqual(lostTwice);
  },
);

test('an answer that is found counts however often the call was lost, with the limit that ended it', async () => {
  const answer = { kind: 'answered', text: 'Done.', usage: null } as const;
  expect(await recover(9, answer)).toEqual({
    kind: 'ended',
    result: { ...answer, sessionId: 's', stopReason: null },
  });
  expect(await recover(2, { ...answer, stopReason: 'max_output_tokens' })).toEqual({
    kind: 'ended',
    result: { ...answer, sessionId: 's', stopReason: 'max_output_tokens' },
  });
});
