/** The options, the facts, the answers and the report of a command, which its parts share. */
import type { Finding } from '../../events/collab-event.ts';
import { renderRefusal } from '../../views/rounds/command-answers.ts';
import type { PullRequest } from '../contract.ts';
import { answerMark, type Marks, type RoundState } from '../round/marks.ts';
import type { RoundOnHost } from '../round/round-host.ts';
import type { CommentHost, PullComment } from './comment-host.ts';
import type { CommentName } from './comment-name.ts';
import type { FixResult } from './fix-result.ts';

export interface PullCommandOptions {
  readonly host: CommentHost;
  readonly marks: Marks;
  readonly name: CommentName;
  /** Called before the answer: a review that nothing announced does not begin. */
  readonly announce: (next: NextJob) => void;
  /** The result of the job that fixes; `missing`: it left none. The job that reads the comment first has no such field. */
  readonly fix?: FixResult | 'missing';
}

/** The work of a later job. The commits are full ids. */
export type NextJob =
  | { readonly action: 'review'; readonly base: string; readonly head: string }
  | { readonly action: 'fix'; readonly base: string; readonly head: string; readonly finding: Finding };

export type CommandReport =
  /** Nothing is written on the pull request. */
  | { readonly did: 'ignored'; readonly because: string }
  | { readonly did: 'review'; readonly head: string }
  | { readonly did: 'dismissed'; readonly number: number }
  /** A fix is to begin. */
  | { readonly did: 'fix'; readonly number: number }
  | { readonly did: 'fixed'; readonly number: number; readonly as: string }
  /** The command is not carried out, and the answer says why. */
  | { readonly did: 'answered'; readonly with: string };

export interface CommandFacts {
  readonly options: PullCommandOptions;
  readonly name: CommentName;
  readonly comment: PullComment;
  readonly pull: PullRequest;
  readonly found: RoundOnHost;
  readonly last: RoundState | null;
  /** The name of the comment in our marks. */
  readonly id: string;
}

/** Returns the answer with the mark by which it is found again. */
export function answerTo({ options, id }: CommandFacts, words: string): string {
  return `${options.marks.write(answerMark, { comment: id })}\n\n${words}`;
}

export async function answerCommand(
  facts: CommandFacts,
  words: string,
  what: string,
): Promise<CommandReport> {
  await facts.options.host.say(answerTo(facts, words));
  return { did: 'answered', with: what };
}

/** Answers that the command is not carried out. */
export async function refuseCommand(facts: CommandFacts, why: string): Promise<CommandReport> {
  return answerCommand(facts, renderRefusal(why), why);
}
