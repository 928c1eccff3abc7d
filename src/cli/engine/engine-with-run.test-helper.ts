/** An engine with one run, and of its methods those that a test gives. */
import type { CollabEventOf } from '../../events/collab-event.ts';
import { journalRecord } from '../../events/journal-record.test-helper.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { openRun, type OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import type { RunStanding } from '../../runs/folder/run-status.ts';

export const runId = 'r-20261121-7f3a';

/** A command in no folder. */
export const nowhere = { root: '/', env: {} };

export function openedRun(input: RunInput, path = runId): OpenedRun {
  return openRun({ runId, path }, { input });
}

export function engineWithRun(run: OpenedRun, methods: Partial<Engine>): Engine {
  const engine: Partial<Engine> = { find: async () => run, ...methods };
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a command asks of an engine
  return engine as Engine;
}

/** The state of a run with these open questions. */
export function standing(
  state: RunStanding['state'],
  ...open: readonly CollabEventOf<'question.asked'>[]
): RunStanding {
  return { state, questions: new Map(), open, ended: null };
}

/** A gate of this name. */
export function question(name: string): CollabEventOf<'question.asked'> {
  const schema = { type: 'string', enum: ['approve', 'revise'] };
  return {
    ...journalRecord({ type: 'title', title: '' }),
    type: 'question.asked',
    name,
    kind: 'gate',
    text: `Open ${name}?`,
    schema,
  };
}
