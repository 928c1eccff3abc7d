/** The runs of one conversation in a home: the run that started it, and the consults that continue it. */
import { listRuns, type RunFolder } from './run-folder.ts';
import { readRunInput } from './run-input.ts';

export interface RunsOfConversation {
  /** The id of the conversation: that of its first run, or the one that a server gave it. */
  readonly id: string;
  /** The oldest first. */
  readonly runs: readonly RunFolder[];
}

/** @throws CollabError `journal_corrupt` if `run` cannot be read */
export function runsOfConversation(home: string, run: RunFolder): RunsOfConversation {
  const id = conversationOf(run);
  const runs = listRuns(home)
    .toReversed()
    .filter((other) => belongsTo(other, id));
  return { id, runs };
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
