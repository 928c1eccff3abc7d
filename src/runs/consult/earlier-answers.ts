/** Collects what the earlier runs of a conversation settled, for an advisor that did not take part in them. */
import { renderEarlierConsult, renderEarlierReview } from '../../prompts/phases/earlier-run.ts';
import { listRuns, type RunFolder } from '../folder/run-folder.ts';
import { readRunInput, type ConsultRunInput } from '../folder/run-input.ts';
import { readResult, type RunResult } from '../folder/result-file.ts';

export interface Earlier {
  /** The id of the conversation's first run. */
  readonly conversation: string;
  readonly settled: ConsultRunInput['earlier'];
}

/** Limit for one run; a longer text is cut at its end. */
const mostCharacters = 32_768;

/** @throws CollabError `journal_corrupt` if `after` is a run that cannot be read */
export function readEarlier(home: string, after: RunFolder): Earlier {
  const conversation = conversationOf(after);
  const settled = listRuns(home)
    .toReversed()
    .filter((run) => belongsTo(run, conversation))
    .flatMap((run) => settledBy(run));
  return { conversation, settled };
}

function conversationOf(run: RunFolder): string {
  const input = readRunInput(run.path);
  return input.kind === 'consult' ? input.conversation : run.runId;
}

/** A run that cannot be read belongs to no conversation. */
function belongsTo(run: RunFolder, conversation: string): boolean {
  try {
    return conversationOf(run) === conversation;
  } catch {
    return false;
  }
}

function settledBy({ runId, path }: RunFolder): ConsultRunInput['earlier'] {
  const result = readResult(path);
  if (result === null || result.state !== 'ended') return [];
  const text =
    result.schema === 'collab.consult/v1' ? renderEarlierConsult(result) : renderEarlierReview(result);
  if (text === '') return [];
  return [{ run: runId, title: `${kindOf(result)}, run ${runId}`, text: text.slice(0, mostCharacters) }];
}

function kindOf(result: RunResult): string {
  if (result.schema === 'collab.consult/v1') return result.phase;
  return result.workflow === undefined ? 'review' : 'phases';
}
