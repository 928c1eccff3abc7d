import type { Compared } from './compare-states.ts';
import type { GitView } from '../repository/git-view.ts';
import { unreadableError } from '../repository/resolve-commits.ts';

/** More commits or longer messages do not help a review. */
const mostCommits = 50;
const mostCharacters = 16_384;

/** Returns the messages of the commits between the two states, newest first; null when a state is not a commit. */
export async function readCommitMessages(
  view: GitView,
  { base, mergeBase, head }: Pick<Compared, 'base' | 'mergeBase' | 'head'>,
): Promise<string | null> {
  if (head === null) return null;
  const since = mergeBase ?? base;
  const commits = since === null ? [head] : [head, `^${since}`];
  const shape = [
    '--format=%B%x00',
    `--max-count=${mostCommits}`,
    '--no-show-signature',
    '--no-mailmap',
    '--no-color',
  ];
  const result = await view.onObjects(['log', ...shape, ...commits, '--'], { maxOutputBytes: 1024 * 1024 });
  if (result.exitCode !== 0 && !result.truncated)
    throw unreadableError('the messages of the commits cannot be read', result);
  const messages = result.stdout
    .toString('utf8')
    .split('\0')
    .map((message) => message.trim())
    .filter((message) => message !== '');
  const text = messages.join('\n\n');
  if (text.length > mostCharacters)
    return `${text.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, '')}\n[cut]`;
  return text === '' ? null : text;
}
