/** Collects what the earlier runs of a conversation settled, for an advisor that did not take part in them. */
import type { ConsultResult } from '../../review/outcome/consult-result.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
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
  const text = result.schema === 'collab.consult/v1' ? tellConsult(result) : tellReview(result);
  if (text === '') return [];
  return [{ run: runId, title: `${kindOf(result)}, run ${runId}`, text: text.slice(0, mostCharacters) }];
}

function kindOf(result: RunResult): string {
  if (result.schema === 'collab.consult/v1') return result.phase;
  return result.workflow === undefined ? 'review' : 'phases';
}

function tellConsult({ outcome, sections, asked_back }: ConsultResult): string {
  if (outcome !== 'settled') return '';
  const answered = asked_back
    .filter(({ declined }) => declined === null)
    .map(({ tag, question, answer }) => `Asked back ${tag}: ${question}\n\nAnswered:\n\n${answer}`);
  return [...sections.map(({ name, text }) => `## ${name}\n\n${text}`), ...answered].join('\n\n');
}

/** A run with phases also includes what they settled, even if the run did not end as intended. */
function tellReview({ outcome, findings, workflow }: ReviewResult): string {
  const settled = (workflow?.settled ?? []).map(({ phase, text }) => `## ${phase}\n\n${text}`);
  const task = workflow === undefined ? [] : [`The task was: ${workflow.task.trim()}`];
  const told = [...(settled.length === 0 ? [] : task), ...settled];
  const reviewed = tellOutcome({ outcome, findings });
  return [...told, ...(reviewed === '' ? [] : [reviewed])].join('\n\n');
}

function tellOutcome({ outcome, findings }: Pick<ReviewResult, 'outcome' | 'findings'>): string {
  if (outcome === 'failed' || outcome === null) return '';
  const found = findings.map(
    ({ severity, title, path, start_line: line }) =>
      `- ${severity}: ${title}${path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`}`,
  );
  return [`The review ended ${outcome}.`, ...found].join('\n');
}
