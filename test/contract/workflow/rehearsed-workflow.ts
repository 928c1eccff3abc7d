/** A run of the four phases by rehearsed agents, driven in this process: its paths and its results. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { defaultSettings } from '../../../src/config/settings-table.ts';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { continueRun } from '../../../src/runs/continue-run.ts';
import type { ContinueOptions } from '../../../src/runs/run-kind.ts';
import {
  writeRunInput,
  type FixRunInput,
  type WorkflowRunInput,
} from '../../../src/runs/folder/run-input.ts';
import type { WorkInput } from '../../../src/runs/workflow/types.ts';
import { startSettings } from '../../../src/runs/folder/run-settings.ts';
import { phases } from '../../../src/tags/tags.ts';

export const runId = '20261121-093005-work';

/** Scripts and call log beside the project, so that they are no part of it; the run's folder inside, as for a user. */
export interface Stage {
  readonly folder: string;
  readonly project: string;
  readonly runFolder: string;
  readonly env: Readonly<Record<'HOME' | 'PATH' | 'TMPDIR', string>>;
}

export function stageIn(folder: string): Stage {
  const project = join(folder, 'project');
  return {
    folder,
    project,
    runFolder: join(project, '.collab/runs', runId),
    env: { HOME: join(folder, 'home'), PATH: '/usr/bin:/bin', TMPDIR: join(folder, 'home') },
  };
}

export type StageInput = Partial<
  Pick<WorkflowRunInput, 'task' | 'gates' | 'apply' | 'on_advisor_failure' | 'skill'>
> & {
  /** Turns the run into one that fixes findings. */
  readonly fix?: FixRunInput['fix'];
  readonly settings?: Partial<WorkflowRunInput['settings']>;
  readonly files?: Readonly<Record<string, string>>;
};

/** A repository with one commit, the script, and a run folder that holds only its input. */
export function prepareStage(folder: string, script: object, input: StageInput = {}): Stage {
  const stage = stageIn(folder);
  for (const path of [stage.env.HOME, stage.runFolder]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, 'script.yaml'), stringify(script));
  writeFileSync(join(dirname(dirname(stage.runFolder)), '.gitignore'), '*\n');
  for (const [path, text] of Object.entries(input.files ?? { 'README.md': '# one\n' })) {
    mkdirSync(dirname(join(stage.project, path)), { recursive: true });
    writeFileSync(join(stage.project, path), text);
  }
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '--all'],
    ['commit', '-q', '-m', 'begin'],
  ]) {
    git(stage, ...args);
  }
  writeRunInput(stage.runFolder, inputOf(stage, input));
  return stage;
}

function inputOf({ project }: Stage, { settings, files: _files, fix, ...input }: StageInput): WorkInput {
  const agent = { provider: 'rehearsal', model: '../script.yaml', chosenBy: 'asked', settings: {} } as const;
  const work: WorkflowRunInput = {
    kind: 'workflow',
    schema: 'collab.input/v1',
    started_at: '2026-11-21T09:30:05.000Z',
    cwd: project,
    settings: { ...startSettings({ ...defaultSettings, waits_ms: [1, 1, 1] }), ...settings },
    advisor: { ...agent, assurance: 'none', promptLimit: null, fallback: null },
    lead: agent,
    price: null,
    fence_seed: 'seed',
    notes: [],
    reports: [],
    task: 'Write `one`.',
    skill: skillOf(phases),
    gates: 'accept',
    apply: true,
    on_advisor_failure: 'stop',
    ...input,
  };
  return fix === undefined ? work : { ...work, kind: 'fix', fix };
}

export function skillOf(
  chosen: readonly (typeof phases)[number][],
  limits: Partial<WorkflowRunInput['skill']['limits']> = {},
): WorkflowRunInput['skill'] {
  return {
    name: 'test',
    phases: chosen.map((phase) => ({ phase, template: `Do the ${phase}.`, sections: [] })),
    limits: { consults: 5, review_rounds: 3, ...limits },
  };
}

export function driveStage(
  stage: Pick<Stage, 'runFolder' | 'env'>,
  hooks: Partial<Pick<ContinueOptions, 'onEvent' | 'onCommit' | 'answerer' | 'signal' | 'env'>> = {},
) {
  return continueRun({
    runFolder: stage.runFolder,
    runId,
    env: stage.env,
    clock: systemClock,
    signal: new AbortController().signal,
    ...hooks,
  });
}

export function eventsOf({ runFolder }: Pick<Stage, 'runFolder'>): readonly CollabEvent[] {
  return existsSync(journalFile(runFolder)) ? readJournal(journalFile(runFolder)).events : [];
}

export function git({ project }: Stage, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  return execFileSync('git', [...identity, ...args], { cwd: project, encoding: 'utf8', stdio: 'pipe' });
}

/** The tree that the run's branch holds. */
export function branchTree(stage: Stage): string {
  return git(stage, 'rev-parse', `collab/${runId}^{tree}`).trim();
}

/** The names of the branches that runs left. */
export function runBranches(stage: Stage): readonly string[] {
  return git(stage, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/collab')
    .split('\n')
    .slice(0, -1);
}

/** Calls that were begun: `design-1-draft-1/1`, the work or exchange and its turn. */
export function callsOf({ folder }: Stage): readonly string[] {
  return readLog(folder).flatMap((line) => /^begin (?:lead|ex)_(.+)\/\d+$/.exec(line)?.[1] ?? []);
}

function readLog(folder: string): readonly string[] {
  const log = join(folder, 'calls.log');
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
}

/** Calls whose steps have ended, named as `callsOf` names them. */
export function finishedCalls(events: readonly CollabEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'step.ended' ? callOf(event.step) : []));
}

/** Steps that are not calls have no such name. */
function callOf(step: string): readonly string[] {
  const [, path = '', kind, number] = /^(.+)\/(turn|reverse)-(\d+)$/.exec(step) ?? [];
  const name = path.replaceAll('/', '-');
  if (kind === undefined) return [];
  return [kind === 'turn' ? `${name}/${number}` : `${name}-reverse-${number}/1`];
}
