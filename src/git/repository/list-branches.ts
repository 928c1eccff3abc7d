import { findMainBranch } from './branches.ts';
import { findRepository } from './find-root.ts';
import { openGitView, type GitView, type OpenViewOptions } from './git-view.ts';
import { unreadableError } from './resolve-commits.ts';

export interface BranchList {
  /** Sorted by last commit, newest first. A branch of `origin` is listed only if there is no local one of its name. */
  readonly branches: readonly string[];
  /** True if there are more. */
  readonly more: boolean;
  /** The branch that others are compared with; null if there is none. */
  readonly default: string | null;
  /** The checked-out branch; null if HEAD names a commit. */
  readonly current: string | null;
}

/** The most branches in a list. */
const mostBranches = 200;

/**
 * Lists the branches of the repository around a folder; empty outside of every repository.
 * @throws CollabError `input` or `range` when there is no git or the repository cannot be read
 */
export async function listBranches(cwd: string, options: OpenViewOptions): Promise<BranchList> {
  const repository = await findRepository(cwd);
  if (repository === null) return { branches: [], more: false, default: null, current: null };
  const view = await openGitView(repository, options);
  try {
    const [names, main, current] = await Promise.all([
      branchNames(view),
      findMainBranch(view),
      currentBranch(view),
    ]);
    return {
      branches: names.slice(0, mostBranches),
      more: names.length > mostBranches,
      default: main,
      current,
    };
  } finally {
    await view.close();
  }
}

async function branchNames(view: GitView): Promise<readonly string[]> {
  const refs = (await sortedRefs(view, '-committerdate')) ?? (await sortedRefs(view, 'refname'));
  const local = new Set(refs?.flatMap((ref) => nameBelow('refs/heads/', ref)));
  return (refs ?? []).flatMap((ref) => {
    if (ref.startsWith('refs/heads/')) return nameBelow('refs/heads/', ref);
    const [name] = nameBelow('refs/remotes/origin/', ref);
    return name === undefined || name === 'HEAD' || local.has(name) ? [] : [`origin/${name}`];
  });
}

/** Returns null if git cannot sort by date, because the commit of a branch is missing. @throws CollabError `range` */
async function sortedRefs(
  view: GitView,
  by: '-committerdate' | 'refname',
): Promise<readonly string[] | null> {
  const result = await view.inWorkTree([
    'for-each-ref',
    `--sort=${by}`,
    '--format=%(refname)',
    'refs/heads',
    'refs/remotes/origin',
  ]);
  if (result.exitCode === 0) return result.stdout.toString('utf8').split('\n');
  if (by === 'refname') throw unreadableError('the branches cannot be listed', result);
  return null;
}

function nameBelow(folder: string, ref: string): readonly string[] {
  return ref.startsWith(folder) ? [ref.slice(folder.length)] : [];
}

async function currentBranch(view: GitView): Promise<string | null> {
  const { exitCode, stdout } = await view.inWorkTree(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const name = stdout.toString('utf8').trim();
  return exitCode === 0 && name !== '' ? name : null;
}
