/** Opens a journal of one run whose records a test can predict. */
import { readFileSync } from 'node:fs';
import { collabEventSchema, type EventBody } from '../../events/collab-event.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { openJournal, type Journal, type RunEnvelope } from './journal.ts';

export const started: EventBody = { type: 'run.started', name: 'collab', tools: [], cwd: '/' };
export const ended: EventBody = {
  type: 'run.ended',
  status: 'success',
  outcome: 'clean',
  reasons: [],
  result: null,
  errors: [],
  duration_ms: 0,
  turns: 0,
};

export function title(text: string): EventBody {
  return { type: 'title', title: text };
}

/** The envelope of a run's records. */
export function runEnvelope(more: Partial<RunEnvelope> = {}): RunEnvelope {
  const agent = { id: 'lead', role: 'lead', provider: 'p' } as const;
  return { runId: 'run-1', conversationId: 'c', tenantId: 't', agent, ...more };
}

/** The caller closes the journal. */
export function openTestJournal(
  runFolder: string,
  onCommit?: Parameters<typeof openJournal>[0]['onCommit'],
): Journal {
  return openJournal({ runFolder, envelope: runEnvelope(), clock: createManualClock(), onCommit });
}

export function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** The lines of a journal after a reader parsed and rendered them. */
export function linesRenderedAgain(file: string): readonly string[] {
  return linesOf(file).map((line) => JSON.stringify(collabEventSchema.parse(JSON.parse(line))));
}
