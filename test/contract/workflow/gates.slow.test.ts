/** The gates of a run: a person answers clarification questions and approves the approach, and these answers count. */
import { describe, expect, test } from 'vitest';
import { git, skillOf } from './rehearsed-workflow.ts';
import { allOf, goOn, play, stageFor, type DriveHooks } from './play-workflow.ts';
import { leads, scriptOf } from './workflow-script.ts';

const asking = { gates: 'ask', skill: skillOf(['requirements', 'design', 'implementation']) } as const;

/** Answers the questions in turn; a further question is never answered. */
function saying(...answers: readonly string[]): Pick<Required<NonNullable<DriveHooks>>, 'answerer'> {
  const left = [...answers];
  return {
    answerer: () => {
      const value = left.shift();
      return value === undefined ? new Promise(() => {}) : Promise.resolve({ value, by: 'user' });
    },
  };
}

test('the questions are asked by priority, then the approach; the answers reach the lead', async () => {
  const stage = stageFor(scriptOf(), asking);
  const { phases, events } = await goOn(
    stage,
    saying('Version 2, for the shop.', 'approve: but keep it short'),
  );
  expect(phases).toEqual(['requirements 1: settled', 'design 1: settled', 'implementation 1: settled']);
  const asked = allOf(events, 'question.asked');
  expect(asked.map(({ name, kind }) => [name, kind])).toEqual([
    ['requirements/1/gate', 'clarification'],
    ['design/1/gate', 'gate'],
  ]);
  expect(asked[0]?.text).toMatch(/1\. Which version\?\n2\. Who uses it\?/);
  expect(asked[1]?.text).toContain('The design of `src/one.js`.');
  expect(allOf(events, 'question.answered').map(({ by, value }) => [by, value])).toEqual([
    ['user', 'Version 2, for the shop.'],
    ['user', 'approve: but keep it short'],
  ]);
});

test('without an answerer the run waits without a process, and continues with the answer', async () => {
  const stage = stageFor(scriptOf(), asking);
  expect((await goOn(stage)).departure).toMatchObject({ kind: 'suspended' });
  const { departure } = await goOn(stage, saying('Version 2.', 'approve'));
  expect(departure.kind).toBe('settled');
  expect(git(stage, 'status', '--porcelain')).toBe('?? src/\n');
});

test('with --yes there are no questions: the lead assumes, and the record names the policy', async () => {
  const { events } = await play(scriptOf(), { ...asking, gates: 'accept' });
  expect(allOf(events, 'question.answered').map(({ by }) => by)).toEqual(['policy', 'policy']);
});

describe('at the design gate', () => {
  test('revise returns to the draft, with the user’s words', async () => {
    const again = leads(
      { work: 'draft', phase: 'design', contains: 'Use two files' },
      '[CONSULT:DESIGN]\n\nNow two files.\n',
    );
    const stage = stageFor(scriptOf(again), asking);
    const { phases, events } = await goOn(stage, saying('Version 2.', 'revise: Use two files', 'approve'));
    expect(phases.slice(1, 3)).toEqual(['design 1: sent back at the gate', 'design 2: settled']);
    expect(allOf(events, 'question.asked').at(-1)?.text).toContain('Now two files.');
  });

  test('X001-12.2 revise requirements goes back a phase, and reopens what was settled there', async () => {
    const stage = stageFor(scriptOf(), asking);
    const { phases } = await goOn(
      stage,
      saying('Version 2.', 'revise requirements: ask about the shop', 'Version 3.', 'approve'),
    );
    expect(phases).toEqual([
      'requirements 1: settled',
      'design 1: sent back at the gate',
      'requirements 2: settled',
      'design 2: settled',
      'implementation 1: settled',
    ]);
  });

  test('stop ends the run, and no file is touched', async () => {
    const stage = stageFor(scriptOf(), asking);
    const { phases, ended, departure } = await goOn(stage, saying('Version 2.', 'stop: too large'));
    expect(departure.kind).toBe('settled');
    expect(phases.at(-1)).toBe('design 1: stopped at the gate');
    expect(ended?.reasons.join()).toContain('too large');
    expect(git(stage, 'status', '--porcelain')).toBe('');
  });
});
