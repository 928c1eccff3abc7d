/** The phases of a run: their order, the lead's messages in each, and the results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { branchTree, callsOf, git, runBranches, skillOf } from './rehearsed-workflow.ts';
import { allOf, fileOf, goOn, play, stageFor } from './play-workflow.ts';
import { issue, leads, review, rounds, scriptOf, advises } from './workflow-script.ts';

/** The first round is wrong, the review says so, the second is right. */
function mendedOnce() {
  return scriptOf(
    advises(
      { tag: '[REQUEST:REVIEW]', round: 1 },
      review(issue('Critical', 'It is zero', 'export const one = 0;')),
    ),
    rounds(1, 'export const one = 0;\n'),
    rounds(2, 'export const one = 1;\n'),
  );
}

test('R001-6 X001-12.1,4 the phases come in the drawn order, and a review with a Critical finding goes back', async () => {
  const { phases, ended, departure } = await play(mendedOnce());
  expect(departure.kind).toBe('settled');
  expect(phases).toEqual([
    'requirements 1: settled',
    'design 1: settled',
    'implementation 1: settled',
    'review 1: 1 critical finding',
    'implementation 2: settled',
    'review 2: no critical finding',
  ]);
  expect(ended).toMatchObject({ status: 'success', outcome: 'clean' });
});

test('R001-1.2 the lead opens every exchange; the advisor only asks back', async () => {
  const asks = advises({ tag: '[CONSULT:DESIGN]', attempt: 1 }, '[CONSULT:CLAUDE:CONTEXT]\n\nWhere is it?\n');
  const { events } = await play(scriptOf(asks));
  const opened = events.flatMap((event) => {
    if (event.type === 'phase.started' || event.type === 'exchange.asked_back')
      return [event.type === 'phase.started' ? event.phase : event.tag];
    if (event.type === 'turn.ended') return [event.agent.role];
    return event.type === 'exchange.sent' && event.attempt === 1 ? [event.tag] : [];
  });
  // Each is the first of its phase that follows a turn of the lead.
  const sent = opened.filter((word) => /^\[(?:CONSULT:(?!CLAUDE)|REQUEST)/.test(word));
  expect([...new Set(sent)]).toEqual(['[CONSULT:REQUIREMENTS]', '[CONSULT:DESIGN]', '[REQUEST:REVIEW]']);
  for (const tag of new Set(sent)) {
    const phase = opened.slice(0, opened.indexOf(tag));
    const started = phase.findLastIndex((word) => ['requirements', 'design', 'review'].includes(word));
    expect([tag, phase.slice(started + 1)]).toEqual([tag, expect.arrayContaining(['lead'])]);
  }
  expect(opened.filter((word) => word.startsWith('[CONSULT:CLAUDE'))).toEqual(['[CONSULT:CLAUDE:CONTEXT]']);
});

test('the work is on a branch of the run, one commit per round, until it is applied', async () => {
  const { stage } = await play(mendedOnce(), { apply: false });
  expect(git(stage, 'rev-list', '--count', `main..${branchOf(stage.runFolder)}`).trim()).toBe('2');
  expect(git(stage, 'status', '--porcelain')).toBe('');
  expect(fileOf(stage, 'src/one.js')).toBeNull();
  expect(git(stage, 'ls-tree', '-r', '--name-only', branchTree(stage))).toBe('README.md\nsrc/one.js\n');
});

test('--apply changes the user’s tree at the end, and ends the branch', async () => {
  const { stage } = await play(mendedOnce());
  expect(fileOf(stage, 'src/one.js')).toBe('export const one = 1;\n');
  expect(git(stage, 'status', '--porcelain')).toBe('?? src/\n');
  expect(runBranches(stage)).toEqual([]);
});

test('--apply leaves a file that the user has changed meanwhile, and the outcome says which', async () => {
  const stage = stageFor(scriptOf());
  const file = join(stage.project, 'src/one.js');
  const { ended } = await goOn(stage, {
    onEvent({ type }) {
      if (type !== 'run.started') return;
      mkdirSync(dirname(file));
      writeFileSync(file, 'mine\n');
    },
  });
  expect(ended).toMatchObject({ outcome: 'incomplete' });
  expect(ended?.reasons[0]).toMatch(/^not_applied: your own files were not changed: src\/one\.js: ./);
  expect(fileOf(stage, 'src/one.js')).toBe('mine\n');
});

test('X001-12.3 only the phases of the skill are performed', async () => {
  const { phases, stage } = await play(scriptOf(), { skill: skillOf(['design', 'implementation']) });
  expect(phases).toEqual(['design 1: settled', 'implementation 1: settled']);
  expect(callsOf(stage).filter((call) => call.includes('review'))).toEqual([]);
});

test('the lead has one session for all phases', async () => {
  const { events } = await play(scriptOf());
  const sessions = allOf(events, 'session.bound')
    .filter(({ agent }) => agent.role === 'lead')
    .map(({ provider_session_id: session }) => session);
  expect(sessions.length).toBeGreaterThan(5);
  expect([...new Set(sessions)]).toHaveLength(1);
});

test('a lead that changes nothing ends the run, and nothing is applied', async () => {
  const { ended, stage } = await play(scriptOf(leads({ work: 'implement' }, 'There is nothing to do.')));
  expect(ended).toMatchObject({ outcome: 'incomplete' });
  expect(ended?.reasons.join()).toContain('changed no file');
  expect(runBranches(stage)).toEqual([]);
  expect(git(stage, 'status', '--porcelain')).toBe('');
});

function branchOf(runFolder: string): string {
  return `collab/${runFolder.split('/').at(-1)}`;
}
