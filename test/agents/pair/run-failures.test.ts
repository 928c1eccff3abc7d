/** A run of both real agents in which one of them refuses, falls silent, goes off topic, dies or never ends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import type { MessagesScript, MessagesStep } from '../../upstream/messages-steps.ts';
import type { Script, Step } from '../../upstream/steps.ts';
import {
  advisor,
  advisorRows,
  byWords,
  lead,
  leadRows,
  fixed,
  writesTotal,
  type Row,
} from './pair-scripts.ts';
import { startPairWorld, type PairFolder, type RepositoryOptions } from './pair-user.ts';
import { descendantsOf, processesNaming, stillAlive } from '../../setup/process-table.ts';
import { generous } from '../review/review-user.ts';

const world = await startPairWorld();

const plan = ['--phases', 'requirements'];
const quickly = 'limits: { idle: 4s }\nbudgets: { shortening: 0 }\n';
const asksBack: Step = { text: '[CONSULT:CLAUDE:CONTEXT]\nWhere does the rate come from?' };

test('a lead with a refused key: failed with the remedy, and not remembered', async () => {
  const played = await run({ lead: () => ({ status: 401 }) }, plan);
  expect(played).toMatchObject({ code: 4, outcome: 'failed', ended: 'lead_failed', claude: 1, codex: 0 });
  expect(played.reasons).toMatch(/^agent_login: .*ANTHROPIC_API_KEY/);
  expect(played.transcript).toContain('The lead drafts');
  expect(await goOn(played.folder)).toMatchObject({ code: 0, phases: ['requirements 1: settled'] });
}, 240_000);

test('a lead without a login: failed with the remedy, and nothing is sent', async () => {
  const played = await run({}, plan, { env: { ANTHROPIC_API_KEY: '' } });
  expect(played).toMatchObject({ code: 4, outcome: 'failed', claude: 0, codex: 0 });
  expect(`${played.screen}${played.reasons}`).toMatch(/log in/);
}, 240_000);

test('a lead that loses its login during the run: incomplete, and the run continues after a login', async () => {
  const settles: Row<MessagesStep> = ['Write down what is settled', { status: 401 }];
  const played = await run({ lead: byWords([settles, ...leadRows]) }, plan);
  expect(played).toMatchObject({
    code: 3,
    outcome: 'incomplete',
    ended: 'lead_failed',
    exchanges: [[undefined]],
  });
  const asked = world.codex.requests.length;
  expect(await goOn(played.folder)).toMatchObject({ code: 0, phases: ['requirements 1: settled'] });
  expect(world.codex.requests.length).toBe(asked);
}, 240_000);

test('a lead that never answers is ended at the idle limit, asked once more, and the run is incomplete', async () => {
  const played = await run({ lead: () => ({ hang: 'headers' }) }, plan, { config: quickly });
  expect(played).toMatchObject({ code: 3, outcome: 'incomplete', ended: 'lead_failed', codex: 0 });
  expect(played.claude).toBe(2);
  expect(played.transcript.match(/^Error: Claude Code fell silent/gm)).toHaveLength(2);
}, 240_000);

test('a lead that dies repeatedly: failed, both attempts kept', async () => {
  const played = await run({ lead: dies }, plan);
  expect(played).toMatchObject({ code: 4, outcome: 'failed', ended: 'lead_failed', claude: 2, codex: 0 });
  expect(played.reasons).toMatch(/^agent_died: /);
}, 240_000);

test('a lead that never sends its request is corrected twice, then its whole text is the request', async () => {
  const strays: readonly Row<MessagesStep>[] = [
    ['Phase: requirements.', { text: 'I like trains.' }],
    ['Send the request now', { text: 'Trains are the best.' }],
  ];
  const played = await run(
    {
      lead: byWords([...strays, ...leadRows]),
      advisor: byWords([['Trains', stepFor(advisorRows, '[CONSULT:REQUIREMENTS]')]]),
    },
    plan,
  );
  expect(played).toMatchObject({ code: 0, phases: ['requirements 1: settled'], claude: 4, codex: 1 });
  expect(world.codex.requests.at(-1)?.lastInput).toContain('Trains are the best.');
  expect(played.transcript).toContain('I like trains.');
}, 240_000);

test('a lead that consults forever is answered five times, then told to finish, and its work counts', async () => {
  const consults: MessagesStep = { text: '[CONSULT:IMPLEMENTATION]\nAnd now?' };
  const rows: readonly Row<MessagesStep>[] = [
    ['Phase: implementation.', writesTotal(fixed)],
    ['ADVICE', consults],
    ['are used up', consults],
  ];
  const played = await run({ lead: byWords([...rows, ...leadRows]) }, [
    '--phases',
    'implementation,review',
    '--apply',
  ]);
  expect(played).toMatchObject({ code: 0, outcome: 'clean' });
  expect(played.exchanges).toHaveLength(6);
  expect(played.folder.read('src/total.ts')).toBe(fixed);
}, 240_000);

test('an advisor that loses its login during the run: incomplete, and the run continues after a login', async () => {
  const design: Row<Step> = ['[CONSULT:DESIGN]', { status: 401 }];
  const played = await run({ advisor: byWords([design, ...advisorRows]) }, [
    '--phases',
    'requirements,design',
  ]);
  expect(played).toMatchObject({
    code: 3,
    outcome: 'incomplete',
    ended: 'advisor_failed',
    exchanges: [[undefined], ['unavailable']],
  });
  expect(played.reasons).toMatch(/^agent_login: .*codex login/);
  expect(await goOn(played.folder)).toMatchObject({
    code: 0,
    phases: ['requirements 1: settled', 'design 1: settled'],
  });
}, 240_000);

test('X001-9.6 the run continues for good without an advisor that lost its login, if the configuration says so', async () => {
  const refused = byWords<Step>([['[CONSULT:REQUIREMENTS]', { status: 401 }], ...advisorRows]);
  const played = await run({ advisor: refused }, plan, { config: 'on_advisor_failure: continue\n' });
  expect(played).toMatchObject({ code: 3, outcome: 'incomplete', phases: ['requirements 1: settled'] });
  expect(played.reasons).toMatch(/^without_advice: /);
  expect(await goOn(played.folder)).toMatchObject({ code: 3, reasons: played.reasons });
}, 240_000);

test('an advisor that never answers: incomplete, the attempt kept', async () => {
  const played = await run({ advisor: () => ({ hang: 'headers' }) }, plan, { config: quickly });
  expect(played).toMatchObject({ code: 3, outcome: 'incomplete', ended: 'advisor_failed' });
  expect(played.exchanges).toEqual([['timed_out']]);
}, 240_000);

test('X001-7.5 an advisor that sends reverse requests repeatedly is answered three times, told to decide, and decides', async () => {
  const rows: readonly Row<Step>[] = [
    ['decide with what you have', stepFor(advisorRows, '[CONSULT:REQUIREMENTS]')],
    ['', asksBack],
  ];
  const played = await run({ advisor: byWords(rows) }, plan);
  expect(played).toMatchObject({ code: 0, phases: ['requirements 1: settled'], codex: 5 });
  expect(answersBack(played.folder)).toHaveLength(3);
  expect(played.exchanges).toEqual([[undefined, undefined, undefined, 'marker_absent', undefined]]);
}, 240_000);

test('an advisor that sends reverse requests forever: incomplete, every attempt kept', async () => {
  const played = await run({ advisor: () => asksBack }, plan);
  expect(played).toMatchObject({ code: 3, outcome: 'incomplete', ended: 'advisor_failed' });
  expect(answersBack(played.folder)).toHaveLength(3);
  expect(played.exchanges).toEqual([
    [undefined, undefined, undefined, 'marker_absent', 'marker_absent', 'marker_absent'],
  ]);
}, 240_000);

test('Ctrl-C during the edit: 130, nothing is left, and resume ends like an uninterrupted run', async () => {
  const { folder, pid, ended } = await untilMidEdit();
  const below = descendantsOf(pid);
  expect(below.length).toBeGreaterThan(0);
  process.kill(-pid, 'SIGINT');
  await expect.poll(() => stillAlive(below), { timeout: 6000, interval: 50 }).toEqual([]);
  expect(await ended).toMatchObject({ code: 130 });
  expect(folder.result()).toMatchObject({ state: 'interrupted', outcome: 'failed' });
  expect(folder.git('status', '--porcelain')).toBe('');
  expect(await goOn(folder)).toMatchObject({ code: 0, outcome: 'clean' });
  expect(folder.read('src/total.ts')).toBe(fixed);
}, 240_000);

test('collab cancel while the lead works ends the run for good, and the user’s files are unchanged', async () => {
  const { folder, pid, ended } = await untilMidEdit();
  const below = descendantsOf(pid);
  expect(await folder.run('cancel')).toMatchObject({ code: 0 });
  expect(await ended).toMatchObject({ code: 3 });
  expect(stillAlive(below)).toEqual([]);
  expect(folder.result()).toMatchObject({
    state: 'ended',
    outcome: 'incomplete',
    workflow: { ended: { code: 'cancelled' }, applied: 'left' },
  });
  expect(folder.git('status', '--porcelain')).toBe('');
}, 240_000);

/** Claude Code is killed as soon as it asks. */
const dies: MessagesScript = () => {
  const ours = processesNaming(world.root).filter(({ command }) => command.includes('stream-json'));
  for (const { pid } of ours) process.kill(pid, 'SIGKILL');
  return { hang: 'headers' };
};

/** A run of the four phases whose lead has written the file and waits for the model. */
async function untilMidEdit() {
  const folder = world.repository();
  const wrote: Row<MessagesStep> = ['src/total.ts', { hang: 'headers' }];
  world.claude.play(byWords([...leadRows.filter(([words]) => words !== wrote[0]), wrote]));
  world.codex.play(advisor);
  const { pid, ended } = folder.startPair('run', 'Totals with tax', ...pair, '--yes', '--apply');
  const isWritten = () => folder.events().some(({ type }) => type === 'file.changed');
  await expect.poll(isWritten, { ...generous, timeout: 120_000 }).toBe(true);
  await expect.poll(() => world.claude.openTurns(), generous).toBe(1);
  return { folder, pid, ended };
}

const pair = ['--lead', 'claude_code', '--advisor', 'codex'];

interface Scripts {
  readonly lead?: MessagesScript;
  readonly advisor?: Script;
}

async function run(scripts: Scripts, args: readonly string[], options: RepositoryOptions = {}) {
  const folder = world.repository(options);
  world.claude.play(scripts.lead ?? lead);
  world.codex.play(scripts.advisor ?? advisor);
  const before = [world.claude.requests.length, world.codex.requests.length] as const;
  const ended = await folder.pair('run', 'Totals with tax', ...pair, '--yes', ...args);
  return {
    ...stateOf(folder, ended.code),
    folder,
    screen: `${ended.stdout}${ended.stderr}`,
    claude: world.claude.requests.length - before[0],
    codex: world.codex.requests.length - before[1],
  };
}

/** With models that work. */
async function goOn(folder: PairFolder) {
  world.claude.play(lead);
  world.codex.play(advisor);
  return stateOf(folder, (await folder.run('resume')).code);
}

function stateOf(folder: PairFolder, code: number | null) {
  const { run_id: runId, outcome, reasons, exchanges, workflow } = folder.result();
  expect(checkLaws(folder.events())).toEqual([]);
  return {
    code,
    outcome,
    reasons: reasons.join('\n'),
    exchanges: exchanges.map(({ attempts }) => attempts.map(({ rejected }) => rejected)),
    ended: workflow?.ended?.code,
    phases: workflow?.phases.map(({ phase, round, result }) => `${phase} ${round}: ${result}`),
    transcript: readFileSync(join(folder.path, '.collab/runs', runId, 'transcript.md'), 'utf8'),
  };
}

/** The usual script's answer to this text. */
function stepFor(rows: readonly Row<Step>[], words: string): Step {
  const [, step] = rows.find(([known]) => known === words) ?? [];
  if (step === undefined || typeof step === 'function') throw new Error(`no step for ${words}`);
  return step;
}

function answersBack(folder: PairFolder) {
  return folder.events().filter(({ type }) => type === 'exchange.answered_back');
}
