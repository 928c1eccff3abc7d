/** The words that name a change on a command line. */
import { CollabError } from '../../errors/collab-error.ts';
import { readPullRequestUrl } from '../../forge/addresses.ts';
import type { ForgeKind, PullRequestName } from '../../forge/contract.ts';

/** The change that words name, whatever exists; `plain`: a file, a branch, a commit or a number. */
export type ChangeWords =
  | { readonly kind: 'stdin' }
  | { readonly kind: 'pull_request'; readonly name: PullRequestName }
  /** A pull request of the repository that the clone or the job belongs to. */
  | { readonly kind: 'pull_request_here'; readonly number: number; readonly forge: ForgeKind | null }
  | { readonly kind: 'branch'; readonly name: string }
  | { readonly kind: 'commit'; readonly name: string }
  | { readonly kind: 'plain'; readonly words: string };

/** @throws CollabError `usage` for a prefix without its name */
export function readChangeWords(words: string): ChangeWords {
  if (words === '-') return { kind: 'stdin' };
  const url = readPullRequestUrl(words);
  if (url !== null) return { kind: 'pull_request', name: url };
  const [, prefix, rest = ''] = /^(pr|mr|branch|commit):(.*)$/s.exec(words) ?? [];
  const [, sign, signed] = /^([#!])([1-9]\d{0,9})$/.exec(words) ?? [];
  if (sign !== undefined) return numbered(Number(signed), sign === '!' ? 'gitlab' : null);
  if (prefix === undefined) return { kind: 'plain', words };
  if (prefix === 'branch' || prefix === 'commit') {
    if (rest === '') throw noName(words, `${prefix}:<name>`);
    if (rest.startsWith('-')) throw looksLikeFlag(words);
    return { kind: prefix, name: rest };
  }
  const address = readPullRequestUrl(rest);
  if (address !== null) return { kind: 'pull_request', name: address };
  if (!isNumber(rest)) throw noName(words, `${prefix}:<number>, such as ${prefix}:123`);
  return numbered(Number(rest), prefix === 'mr' ? 'gitlab' : null);
}

/** The kind by which the table of permissions judges words. A plain name may be a file, which only the owner may name. */
export function kindOfWords(words: string): 'stdin' | 'pull_request' | 'range' | 'file' | 'commit' {
  const { kind } = readChangeWords(words);
  switch (kind) {
    case 'pull_request_here':
      return 'pull_request';
    case 'branch':
      return 'range';
    case 'plain':
      return isLikeRange(words) ? 'range' : 'file';
    default:
      return kind;
  }
}

/** Plain words that are read as commits unless the owner has a file of that name; a path with `..` as a folder is a file. */
export function isLikeRange(words: string): boolean {
  return words.includes('..') && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(words);
}

export function isNumber(words: string): boolean {
  return /^[1-9]\d{0,9}$/.test(words);
}

function numbered(number: number, forge: ForgeKind | null): ChangeWords {
  return { kind: 'pull_request_here', number, forge };
}

function looksLikeFlag(words: string): CollabError {
  return new CollabError('usage', `"${words}" has a name that git takes for a flag`, {
    hint: 'name the commits by their ids: <base>...<head>',
  });
}

function noName(words: string, form: string): CollabError {
  return new CollabError('usage', `"${words}" names no change`, { hint: `write ${form}` });
}
