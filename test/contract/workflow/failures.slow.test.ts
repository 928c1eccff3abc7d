/** Agents that never answer, answer off topic, always ask back, die or are logged out: each ends the run. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allOf, play } from './play-workflow.ts';
import { advises, leads, scriptOf, type Turn } from './workflow-script.ts';

const forever = { repeat: 'forever' };
const limits = { limits: { first_sign_ms: 40, idle_ms: 40, total_ms: 200 } };
const times = (count: number) => (reason: string) => Array.from({ length: count }, () => reason);
const [three, four] = [times(3), times(4)];
const asksBack = '[CONSULT:CLAUDE:CONTEXT]\n\nWhere is it?\n';
const offTopic = 'I am ready to help. What would you like me to do?';

describe('an advisor', () => {
  test.each([
    ['never answers', { fault: 'never' }, 'incomplete', 3, ['timed_out']],
    [
      'answers off topic',
      { answer: offTopic },
      'incomplete',
      3,
      ['irrelevant', 'marker_absent', 'irrelevant'],
    ],
    [
      'asks back for ever',
      { answer: asksBack },
      'incomplete',
      3,
      [...three('asked back'), ...three('marker_absent')],
    ],
    ['dies', { fault: 'die' }, 'failed', 4, ['unavailable']],
    ['is logged out', { fault: 'unavailable', code: 'auth' }, 'failed', 4, ['unavailable']],
    ['stays overloaded', { fault: 'overloaded', retry_after_ms: 1 }, 'failed', 4, four('overloaded')],
    ['is cut again and again', { fault: 'cut' }, 'failed', 4, four('cut')],
  ])(
    'that %s ends the run within its limits, every attempt kept',
    async (_what, turn: object, outcome, code, rejected) => {
      const { result, departure, events } = await play(scriptOf({ when: {}, ...forever, ...turn }), {
        settings: limits,
      });
      expect(departure.kind).toBe('settled');
      expect(result).toMatchObject({ state: 'ended', outcome, exit_code: code });
      expect(allOf(events, 'exchange.ended')).toHaveLength(1);
      expect(rejections(result)).toEqual(rejected);
    },
  );

  test('X001-9.6 is skipped after a failure if the configuration says so, and the outcome mentions it', async () => {
    const failing: Turn = { when: { tag: '[CONSULT:DESIGN]' }, ...forever, fault: 'die' };
    const { phases, ended } = await play(scriptOf(failing), { on_advisor_failure: 'continue' });
    expect(phases).toContain('review 1: no critical finding');
    expect(ended?.reasons.join()).toMatch(/without .*advice/);
  });
});

describe('a lead', () => {
  test.each([
    ['never answers', { fault: 'never' }, 'incomplete', 3],
    ['says nothing', { fault: 'empty' }, 'incomplete', 3],
    ['dies', { fault: 'die' }, 'failed', 4],
    ['is logged out', { fault: 'unavailable', code: 'auth' }, 'failed', 4],
    ['stays overloaded', { fault: 'overloaded', retry_after_ms: 1 }, 'failed', 4],
  ])('that %s ends the run within its limits', async (_what, turn: object, outcome, code) => {
    const { result, departure } = await play(scriptOf({ when: { role: 'lead' }, ...forever, ...turn }), {
      settings: limits,
    });
    expect(departure.kind).toBe('settled');
    expect(result).toMatchObject({ state: 'ended', outcome, exit_code: code });
  });

  test('that dies during an edit ends the run, and nothing is applied', async () => {
    const dies = leads({ work: 'implement' }, '', {
      answer: undefined,
      fault: 'die',
      edits: [{ path: 'src/one.js', content: 'half' }],
    });
    const { result, phases } = await play(scriptOf(dies));
    expect(phases.at(-1)).toBe('implementation 1: the lead failed');
    expect(result).toMatchObject({ outcome: 'incomplete' });
  });

  test('that loses its login during a reverse request leaves the advisor with that reason', async () => {
    const { events, departure } = await play(
      scriptOf(advises({ tag: '[CONSULT:DESIGN]', attempt: 1 }, asksBack), {
        when: { work: 'answer_back' },
        fault: 'die',
        ...forever,
      }),
    );
    expect(departure.kind).toBe('settled');
    expect(allOf(events, 'exchange.answered_back')[0]?.declined).toBeDefined();
  });
});

test.each([
  ['the lead', { when: { work: 'draft', phase: 'design' } }, 'design 1: the lead failed'],
  ['the advisor', { when: { tag: '[CONSULT:DESIGN]' } }, 'design 1: no advice'],
])('X001-10.4 the limits of a phase hold for %s in it, and for no other phase', async (_who, silent, end) => {
  const slow = leads({ work: 'draft', phase: 'requirements' }, '[CONSULT:REQUIREMENTS]\n\nWhat?', {
    delay_ms: 120,
  });
  const { phases } = await play(scriptOf(slow, { ...silent, ...forever, fault: 'never' }), {
    settings: { phase_limits: { design: limits.limits } },
  });
  expect(phases).toEqual(['requirements 1: settled', end]);
});

/** The reason why each attempt of the one exchange was rejected, as `result.json` keeps it. */
function rejections(result: Readonly<Record<string, unknown>>): readonly unknown[] {
  const exchanges = z
    .array(z.object({ attempts: z.array(z.object({ rejected: z.string().optional() })) }))
    .parse(result['exchanges']);
  return exchanges.flatMap(({ attempts }) => attempts.map(({ rejected }) => rejected ?? 'asked back'));
}
