/** Finds branches and compares their commits. */
import type { GitView } from './git-view.ts';

/** Returns the name of the local branch, else of the one at `origin`; null if there is neither. */
export async function findBranch(view: GitView, name: string): Promise<string | null> {
  if (await isRef(view, `refs/heads/${name}`)) return name;
  return (await isRef(view, `refs/remotes/origin/${name}`)) ? `origin/${name}` : null;
}

/** Returns the branch that others are compared with: that of `origin`, else `main` or `master`; null if there is none. */
export async function findMainBranch(view: GitView): Promise<string | null> {
  const { exitCode, stdout } = await view.inWorkTree([
    'symbolic-ref',
    '--quiet',
    '--short',
    'refs/remotes/origin/HEAD',
  ]);
  const named = stdout.toString('utf8').trim();
  if (exitCode === 0 && named !== '' && (await isRef(view, `refs/remotes/${named}`))) return named;
  for (const name of ['main', 'master']) {
    if (await isRef(view, `refs/remotes/origin/${name}`)) return `origin/${name}`;
    if (await isRef(view, `refs/heads/${name}`)) return name;
  }
  return null;
}

/** Returns true if `head` has commits that `base` lacks. */
export async function hasCommitsSince(view: GitView, base: string, head: string): Promise<boolean> {
  const { exitCode } = await view.inWorkTree(['merge-base', '--is-ancestor', head, base]);
  return exitCode === 1;
}

async function isRef(view: GitView, ref: string): Promise<boolean> {
  return (await view.objects.id(ref)) !== null;
}
