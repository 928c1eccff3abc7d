/** What the earlier runs of a conversation settled, for an advisor that was not there. */
import type { ConsultResult } from '../reports/consult-result.ts';
import type { ReviewResult } from '../review/result.ts';
import { listRuns, type RunFolder } from './run-folder.ts';
import { readRunInput, type ConsultRunInput } from './run-input.ts';
import { readResult } from './result-of-run.ts';

export interface Earlier {
  /** The id of the conversation's first run. */
  readonly conversation: string;
  readonly settled: ConsultRunInput['earlier'];
}

/** Of one run; a longer one is told by its beginning. */
const mostCharacters = 32_768;

/** @throws CollabError `journal_corrupt` where `after` is a run that cannot be read */
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

/** A run that cannot be read belongs to nothing. */
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
  const text = result.schema === 'collab.consult/v1' ? tellConsult(result) : tellReview(result);
  if (text === '') return [];
  const title =
    result.schema === 'collab.consult/v1' ? `${result.phase}, run ${runId}` : `review, run ${runId}`;
  return [{ run: runId, title, text: text.slice(0, mostCharacters) }];
}

function tellConsult({ outcome, sections, asked_back }: ConsultResult): string {
  if (outcome !== 'settled') return '';
  const answered = asked_back
    .filter(({ declined }) => declined === null)
    .map(({ tag, question, answer }) => `Asked back ${tag}: ${question}\n\nAnswered:\n\n${answer}`);
  return [...sections.map(({ name, text }) => `## ${name}\n\n${text}`), ...answered].join('\n\n');
}

function tellReview({ outcome, findings }: ReviewResult): string {
  if (outcome === 'failed') return '';
  const found = findings.map(
    ({ severity, title, path, start_line: line }) =>
      `- ${severity}: ${title}${path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`}`,
  );
  return [`The review ended ${outcome}.`, ...found].join('\n');
}
