import { describe, expect, test } from 'vitest';
import type { SecondOpinion } from '../../machine/review/second-opinion.ts';
import { reviewInput } from '../folder/saved-runs.test-helper.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import { announceOpinion, opinionFacts, opinionReasons } from './opinion-result.ts';

const { advisor, settings } = reviewInput();
const claude = { provider: 'claude_code', model: null, chosenBy: 'auto', settings: {} } as const;
const none: SecondOpinion = { by: 'lead', asked: [], missing: [], cached: [], turns: [] };
const late = { cause: 'time', detail: 'it was late', hint: 'wait longer' } as const;

function input(changes: Partial<ReviewRunInput> = {}): ReviewRunInput {
  return reviewInput({ verify: true, lead: claude, ...changes });
}

const cases: readonly (readonly [string, Partial<ReviewRunInput>, string | null, object])[] = [
  ['a lead of another family', {}, 'second opinion by Claude Code', { by: 'lead', same_family: false }],
  [
    'a lead of the same family',
    { advisor: { ...advisor, provider: 'anthropic' } },
    'second opinion by Claude Code, from the same family',
    { by: 'lead', same_family: true },
  ],
  [
    'the advisor itself',
    { lead: null },
    'findings checked by the advisor in fresh threads',
    { by: 'advisor', same_family: false },
  ],
  [
    'nothing, as --no-verify says',
    { verify: false },
    'no second opinion: --no-verify',
    { state: 'off', detail: '--no-verify', same_family: false },
  ],
  [
    'nothing, as --no-verify says without a lead',
    { verify: false, lead: null },
    null,
    { state: 'off', detail: '--no-verify' },
  ],
  [
    'nothing in a quick review',
    { verify: false, settings: { ...settings, effort: 'quick' } },
    'no second opinion: the effort is quick',
    { state: 'off', detail: 'the effort is quick' },
  ],
  [
    'nothing without models',
    { verify: false, lead: null, advisor: { ...advisor, assurance: 'static' } },
    null,
    { state: 'off', detail: 'no lead takes part' },
  ],
  [
    'nothing, as a person answers',
    { verify: false, lead: { ...claude, provider: 'user' }, advisor: { ...advisor, assurance: 'static' } },
    'no second opinion: a person answers here, not an agent',
    { state: 'off', detail: 'a person answers here, not an agent' },
  ],
];

test.each(cases)('the findings are checked by %s: the first lines and the result', (...row) => {
  const [, changes, announced, facts] = row;
  expect(announceOpinion(input(changes))).toBe(announced);
  expect(opinionFacts(input(changes), none)).toMatchObject({ asked: [], ...facts });
});

describe('the result of a check', () => {
  test('says if there was nothing to check, and if it was given', () => {
    expect(opinionFacts(input(), none)).toEqual({
      state: 'not_needed',
      detail: null,
      asked: [],
      same_family: false,
      by: 'lead',
    });
    const cached = [{ id: 'F1', run_id: 'r0', answered_at: '2026-11-21T09:30:00.000Z' }];
    expect(opinionFacts(input(), { ...none, asked: ['F1'], cached })).toMatchObject({
      state: 'given',
      cached,
    });
  });

  test('names the findings without a verdict, and each reason once', () => {
    const missing = ['F1', 'F2'].map((id) => ({ ids: [id], failure: late }));
    const opinion = { ...none, by: 'advisor', asked: ['F2', 'F3'], missing } as const;
    const text = 'the advisor gave no second opinion on 2 of 3 findings (F1, F2): it was late; wait longer';
    expect(opinionReasons(opinion)).toEqual([{ code: 'second_opinion_missing', text }]);
    expect(opinionFacts(input(), opinion)).toMatchObject({ state: 'missing', detail: text });
    expect(opinionReasons(none)).toEqual([]);
  });
});
