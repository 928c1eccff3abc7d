/** The git tools' access to git. They know no command line; `runs/` supplies the safe one. */
import { CollabError } from '../../errors/collab-error.ts';
import { refuse } from '../definition/define-tool.ts';
import type { ToolContext, ToolOutcome } from '../definition/interfaces.ts';
import type { Refused } from '../files/inside-path.ts';

/** Opens the repository in its current state, runs the body and closes it. @throws CollabError `input`, `cancelled` */
export type WithGit = <Value>(signal: AbortSignal, body: (git: RunGit) => Promise<Value>) => Promise<Value>;

export type RunGit = (args: readonly string[], maxOutputBytes?: number) => Promise<GitAnswer>;

export interface GitAnswer {
  readonly ok: boolean;
  readonly stdout: Buffer;
  /** The output was longer than the limit; this is its beginning. */
  readonly truncated: boolean;
  /** Git's error message, on one line. */
  readonly words: string;
}

const gitLimitMs = 20_000;

/** Runs a tool's body with git, in limited time; a git error becomes an observation. */
export async function withinGit(
  withGit: WithGit,
  { signal }: ToolContext,
  body: (git: RunGit) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const limit = AbortSignal.timeout(gitLimitMs);
  try {
    return await withGit(AbortSignal.any([signal, limit]), body);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CollabError)) throw error;
    return refuse(limit.aborted ? `git took longer than ${gitLimitMs / 1000} s.` : error.message);
  }
}

/** Resolves a commit name to its id. Only `rev-parse` reads the name, after its end of options. */
export async function commitForTool(
  git: RunGit,
  ref: string,
): Promise<{ readonly ok: true; readonly id: string } | Refused> {
  const answer = /^[\w./@{}~^-]{1,200}$/.test(ref)
    ? await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
    : null;
  const id = answer?.ok === true ? answer.stdout.toString('utf8').trim() : '';
  return /^[0-9a-f]{40,64}$/.test(id) ? { ok: true, id } : { ok: false, why: `There is no commit ${ref}.` };
}
