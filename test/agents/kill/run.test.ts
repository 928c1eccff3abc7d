/** `collab run` with both real agents is killed at every kind of record, and continues. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import type { MessagesStep } from '../../upstream/messages-steps.ts';
import { checkLaws } from '../../../src/events/laws.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import {
  again,
  advisorRows,
  byWords,
  leadRows,
  fixed,
  rereads,
  writesTooMuch,
  type Row,
} from '../pair/pair-scripts.ts';
import { somePoints } from '../../setup/points.ts';
import { startPairWorld, type PairFolder } from '../pair/pair-user.ts';
import type { Started } from '../review/review-user.ts';

const world = await startPairWorld();
let undisturbed: Left;

beforeAll(async () => {
  const folder = world.repository();
  play(() => false);
  const ended = await startRun(folder).ended;
  undisturbed = leftBy(folder, ended.code, asked);
}, 240_000);

test('the reference run for the killed ones applies the fixes', () => {
  expect(undisturbed).toMatchObject({ code: 0, outcome: 'clean', applied: 'applied', broken: [] });
  expect(undisturbed.files['total.ts']).toBe(fixed);
});

/** The point at which the run is killed: a record of its journal, or the n-th request with these words to a model. */
type Point = ((event: CollabEvent) => boolean) | AskedPoint;

interface AskedPoint {
  readonly words: string;
  readonly number: number;
  /** The request of the lost edit: the lost turn leaves more in the folder than its repetition. */
  readonly edit?: string;
  /** Kills only once a session of the lead contains these words, because Claude Code writes late. */
  readonly kept?: string;
}

const begins = (step: string) => (event: CollabEvent) => event.type === 'step.begun' && event.step === step;
const bound = (step: string) => (event: CollabEvent) => event.type === 'step.bound' && event.step === step;
const ends = (step: string) => (event: CollabEvent) => event.type === 'step.ended' && event.step === step;
const isAsked = (words: string, number = 1) => ({ words, number });

const points: readonly (readonly [name: string, point: Point])[] = [
  ['the first turn of the lead is bound', bound('requirements/1/draft-1/turn-1')],
  ['the first consult is before the model', isAsked('[CONSULT:REQUIREMENTS]')],
  ['the first answer is received', ends('requirements/1/consult-1/turn-1')],
  ['the first gate is passed', ends('requirements/1/gate')],
  ['the lead looks for what the advisor asks back', isAsked('export const rate = 19')],
  ['the advisor has what it asked back', bound('design/1/consult-1/turn-2')],
  ['the lead is in the middle of its edit', { ...isAsked('src/total.ts'), edit: 'Phase: implementation.' }],
  ['the lead gets advice in the middle of its work', isAsked('ADVICE')],
  ['the commit is begun', begins('implementation/1/commit')],
  ['the review is before the model', isAsked('=> eval(')],
  [
    'the lead is in the middle of its second edit',
    { ...isAsked('src/total.ts', 2), edit: 'The review found faults' },
  ],
  [
    'the session of the lead has kept its second edit',
    { ...isAsked('src/total.ts', 2), edit: 'The review found faults', kept: 'half of it' },
  ],
  ['the last report is begun', begins('review/2/report')],
  ['the result is being applied', begins('apply/tree')],
];

test.each(somePoints(points, 4))(
  'kill -9 when %s: the same end, and nothing that was finished is asked again',
  async (_name, point) => {
    const { folder, records } = await killAt(point);
    const before = asked.length;
    const lost = lostCall(records);
    play(() => false, { before: asked });
    const resumed = await folder.run('resume');
    const repeated = more(wordsOf(asked), wordsOf(undisturbed.asked));
    const inFlight = lost === null ? [] : asked.slice(0, before).filter(({ at }) => at >= lost);
    const allowed = [...wordsOf(inFlight), ...(lost === null ? [] : [again, ...rereads])];
    expect({ ...leftBy(folder, resumed.code, []), beyond: more(repeated, allowed) }).toEqual({
      ...undisturbed,
      asked: [],
      beyond: [],
    });
  },
  240_000,
);

test('a finished edit of the lead that was not recorded is kept without a further request', async () => {
  const step = 'implementation/1/implement-1/turn-1';
  const folder = world.repository();
  play(() => false);
  const { pid, ended } = startRun(folder);
  await expect.poll(() => answersOf(folder, step), soon).toContain('lead_implementation-1-implement-1/1/1');
  process.kill(pid, 'SIGKILL');
  await ended;
  await world.nothingLeft();
  forgetFrom(folder, (event) => event.type === 'turn.ended' && event.step === step);

  play(() => false, { before: asked });
  const resumed = await folder.run('resume');
  expect(leftBy(folder, resumed.code, [])).toEqual({ ...undisturbed, asked: [] });
  const oftenAsked = wordsOf(asked).filter((words) =>
    /^(Phase: implementation|src\/total)|again/.test(words),
  );
  expect(oftenAsked).toEqual(['Phase: implementation.', 'src/total.ts', 'src/total.ts']);
}, 240_000);

/** Long enough for a loaded machine; a record is seen immediately. */
const soon = { timeout: 120_000, interval: 5 };

interface Asked {
  readonly words: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Left {
  readonly code: number | null;
  readonly outcome: string | null;
  readonly findings: number;
  readonly phases: readonly string[];
  readonly applied: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly commits: readonly string[];
  readonly broken: readonly unknown[];
  readonly asked: readonly Asked[];
}

/** The requests to both models in the run of this test. */
let asked: Asked[] = [];

/** A request for which `isLast` returns true is never answered. */
function play(
  isLast: (words: string) => boolean,
  { before = [], edit }: { readonly before?: readonly Asked[]; readonly edit?: string | undefined } = {},
): void {
  asked = [...before];
  const onAsked = (words: string): { readonly hang: 'headers' } | null => {
    asked.push({ words, at: Date.now() });
    return isLast(words) ? { hang: 'headers' } : null;
  };
  const edited = leadRows.map((row): Row<MessagesStep> => (row[0] === edit ? [edit, writesTooMuch] : row));
  world.claude.play(byWords(edited, onAsked));
  world.codex.play(byWords(advisorRows, onAsked));
}

function startRun(folder: PairFolder): Started {
  const agents = ['--lead', 'claude_code', '--advisor', 'codex'];
  return folder.startPair('run', 'Totals with tax', ...agents, '--yes', '--apply');
}

/** Returns with the records that the killed run left. */
async function killAt(point: Point) {
  const folder = world.repository();
  let pid: number | null = null;
  const kill = (): boolean => pid !== null && process.kill(pid, 'SIGKILL');
  const former = new Set(sessionsOfLeads());
  play(
    (words) => {
      if (typeof point === 'function' || words !== point.words) return false;
      const isIt = asked.filter((one) => one.words === words).length === point.number;
      if (isIt && point.kept === undefined) kill();
      return isIt;
    },
    typeof point === 'function' ? {} : { edit: point.edit },
  );
  const started = startRun(folder);
  ({ pid } = started);
  if (typeof point === 'function') {
    await vi.waitUntil(() => folder.events().some((event) => point(event)), soon);
    kill();
  }
  const kept = typeof point === 'function' ? undefined : point.kept;
  if (kept !== undefined) {
    const isKept = (): boolean =>
      sessionsOfLeads().some((text) => !former.has(text) && toolResultsIn(text).includes(kept));
    await vi.waitUntil(isKept, soon);
    kill();
  }
  expect(await started.ended).toMatchObject({ signal: 'SIGKILL' });
  await world.nothingLeft();
  return { folder, records: folder.events() };
}

/** The transcripts that Claude Code keeps of this file's leads. */
function sessionsOfLeads(): readonly string[] {
  const projects = join(world.root, 'home/.claude/projects');
  return readdirSync(projects).flatMap((project) =>
    readdirSync(join(projects, project))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(projects, project, name), 'utf8')),
  );
}

function toolResultsIn(transcript: string): string {
  return transcript
    .split('\n')
    .filter((line) => line.includes('"tool_result"'))
    .join('\n');
}

/** The start of the agent's call in flight; null if there was none. */
function lostCall(records: readonly CollabEvent[]): number | null {
  const finished = new Set(records.flatMap((event) => (event.type === 'step.ended' ? [event.step] : [])));
  const open = records.findLast((event) => event.type === 'step.begun' && !finished.has(event.step));
  return open === undefined ? null : Date.parse(open.ts);
}

function leftBy(folder: PairFolder, code: number | null, requests: readonly Asked[]): Left {
  const { outcome, findings, workflow } = folder.result();
  return {
    code,
    outcome,
    findings: findings.length,
    phases: workflow?.phases.map(({ phase, round, result }) => `${phase} ${round}: ${result}`) ?? [],
    applied: workflow?.applied,
    files: Object.fromEntries(
      readdirSync(join(folder.path, 'src')).map((name) => [name, folder.read(`src/${name}`)]),
    ),
    commits: folder.git('log', '--format=%s', '--all').trim().split('\n'),
    broken: checkLaws(folder.events()),
    asked: requests,
  };
}

function wordsOf(requests: readonly Asked[]): readonly string[] {
  return requests.map(({ words }) => words);
}

/** Items that one list contains more often than the other. */
function more(these: readonly string[], those: readonly string[]): readonly string[] {
  const left = [...those];
  return these.filter((words) => {
    const place = left.indexOf(words);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/** The state that the lead's adapter kept of the step's session. */
function answersOf(folder: PairFolder, step: string): string {
  const session = folder.events().find((event) => event.type === 'step.bound' && event.step === step);
  if (session?.type !== 'step.bound') return '';
  const file = join(
    world.state,
    'collab',
    session.run_id,
    'lead/claude/answers',
    `${session.session_id}.json`,
  );
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** As if the process had been killed before it wrote that record. */
function forgetFrom(folder: PairFolder, isFirst: (event: CollabEvent) => boolean): void {
  const events = folder.events();
  const first = events.findIndex(isFirst);
  if (first < 0) return;
  const runId = events[0]?.run_id ?? '';
  const file = journalFile(join(folder.path, '.collab/runs', runId));
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, first);
  writeFileSync(file, `${lines.join('\n')}\n`);
}
