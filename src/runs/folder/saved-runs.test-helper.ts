/** Inputs of runs of every kind, and run folders with an input and a result that no drive made. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings } from '../../config/settings-table.ts';
import { unfinishedConsultResult, type ConsultResult } from '../../review/outcome/consult-result.ts';
import type { RunFolder } from './run-folder.ts';
import {
  reviewSettingsSchema,
  writeRunInput,
  type ConsultRunInput,
  type FixRunInput,
  type ReviewRunInput,
  type RunInput,
  type WorkflowRunInput,
} from './run-input.ts';
import type { RunResult } from './result-file.ts';
import { startSettings } from './run-settings.ts';

const common = {
  schema: 'collab.input/v1',
  started_at: '2026-11-21T09:30:00.000Z',
  cwd: '/shop',
  settings: reviewSettingsSchema.parse(startSettings(defaultSettings)),
  advisor: {
    provider: 'codex',
    model: 'gpt-5-codex',
    chosenBy: 'auto',
    settings: {},
    assurance: 'model',
    promptLimit: null,
    fallback: null,
  },
  lead: null,
  fence_seed: 'seed',
  price: null,
  notes: [],
  reports: [],
} as const satisfies Partial<RunInput>;

export function reviewInput(changes: Partial<ReviewRunInput> = {}): ReviewRunInput {
  return {
    ...structuredClone(common),
    kind: 'review',
    verify: false,
    change: {
      kind: 'stdin',
      base: null,
      head: null,
      description: 'a diff from standard input',
      diff: '',
      messages: null,
      conventions: [],
      pull_request: null,
      checks: [],
      related: [],
      attributes: {},
      files: null,
    },
    ...changes,
  };
}

export function workflowInput(changes: Partial<WorkflowRunInput> = {}): WorkflowRunInput {
  return {
    ...structuredClone(common),
    kind: 'workflow',
    lead: { provider: 'claude_code', model: null, chosenBy: 'auto', settings: {} },
    task: 'Round once.\nAfter tax.',
    skill: { name: 'test', phases: [], limits: { consults: 5, review_rounds: 3 } },
    gates: 'accept',
    apply: false,
    on_advisor_failure: 'stop',
    ...changes,
  };
}

export function fixInput(fix: FixRunInput['fix'], changes: Partial<WorkflowRunInput> = {}): FixRunInput {
  return { ...workflowInput(changes), kind: 'fix', fix };
}

export function consultInput(changes: Partial<ConsultRunInput> = {}): ConsultRunInput {
  return {
    ...structuredClone(common),
    kind: 'consult',
    phase: 'design',
    brief: 'Is it sound?\nWhy?',
    files: null,
    sections: [],
    conversation: 'c1',
    earlier: [],
    ...changes,
  };
}

/** The result of a consult that settled on one section. */
export function consultResult(changes: Partial<ConsultResult> = {}): ConsultResult {
  const facts = {
    run_id: 'c1',
    conversation_id: 'c1',
    phase: 'design',
    tag: '[CONSULT:DESIGN]',
    answer_tag: '[RESPONSE:DESIGN]',
    advisor: { provider: 'codex', model: null, version: null },
    lead: null,
    started_at: common.started_at,
    brief_digest: 'b',
  } as const;
  return {
    ...unfinishedConsultResult(facts, 'running'),
    state: 'ended',
    outcome: 'settled',
    reasons: [],
    ended_at: '2026-11-21T09:31:00.000Z',
    sections: [{ name: 'ASSESSMENT', text: 'Sound.', state: 'filled' }],
    exit_code: 0,
    ...changes,
  };
}

/** A run in `home`, of which `result` is all that is left of a drive; null: it has no result. */
export function savedRun(home: string, runId: string, input: RunInput, result: RunResult | null): RunFolder {
  const path = join(home, 'runs', runId);
  mkdirSync(path, { recursive: true });
  writeRunInput(path, input);
  if (result !== null) writeFileSync(join(path, 'result.json'), JSON.stringify(result));
  return { runId, path };
}
