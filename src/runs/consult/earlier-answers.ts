/** Collects what the earlier runs of a conversation settled, for an advisor that did not take part in them. */
import { CollabError } from '../../errors/collab-error.ts';
import { renderEarlierConsult, renderEarlierReview } from '../../prompts/phases/earlier-run.ts';
import type { Engine } from '../engine/engine.ts';
import type { RunFolder } from '../folder/run-folder.ts';
import type { ConsultRunInput } from '../folder/run-input.ts';
import type { RunResult } from '../folder/result-file.ts';

export interface Earlier {
  /** The id of the conversation. */
  readonly conversation: string;
  readonly settled: ConsultRunInput['earlier'];
}

/** Limit for one run; a longer text is cut at its end. */
const mostCharacters = 32_768;

/** @throws CollabError `run_not_found`, `journal_corrupt` if `after` is a run that cannot be read */
export async function readEarlier(engine: Engine, home: string, after: string): Promise<Earlier> {
  const { id, runs } = await engine.conversation(home, await engine.find(home, after));
  const settled = await Promise.all(runs.map((run) => settledBy(engine, run)));
  return { conversation: id, settled: settled.flat() };
}

async function settledBy(engine: Engine, run: RunFolder): Promise<ConsultRunInput['earlier']> {
  const result = await engine.result(run).catch(nullIfUnreadable);
  if (result === null || result.state !== 'ended') return [];
  const text =
    result.schema === 'collab.consult/v1' ? renderEarlierConsult(result) : renderEarlierReview(result);
  if (text === '') return [];
  const { runId } = run;
  return [{ run: runId, title: `${kindOf(result)}, run ${runId}`, text: text.slice(0, mostCharacters) }];
}

function nullIfUnreadable(error: unknown): null {
  if (error instanceof CollabError && error.code === 'result_file') return null;
  throw error;
}

function kindOf(result: RunResult): string {
  if (result.schema === 'collab.consult/v1') return result.phase;
  return result.workflow === undefined ? 'review' : 'phases';
}
