/** Finds the text of a change of a public set: these sets name pull requests and contain no diffs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeSource } from './benchmark-set.ts';

interface Commits {
  readonly base: string;
  readonly head: string;
}

/** `owner__name__12`, from the address of a pull request; null for other addresses. */
export function pullRequestName(url: string): string | null {
  const match = /^https?:\/\/[^/]+\/([\w.-]+)\/([\w.-]+)\/pull\/(\d+)\/?$/.exec(url);
  return match === null ? null : match.slice(1).join('__');
}

/** Prefers a clone, which has context, over a diff; null if neither was fetched. */
export function changeSource(folder: string, name: string, commits: Commits | null): ChangeSource | null {
  const clone = join(folder, 'clones', name.split('__').slice(0, 2).join('__'));
  if (commits !== null && existsSync(clone)) return { kind: 'commits', clone, ...commits };
  const file = join(folder, 'diffs', `${name}.diff`);
  return existsSync(file) ? { kind: 'diff', file } : null;
}
