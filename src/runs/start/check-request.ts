/** Checks a request against the table of permissions: each of its keys, before anything is read. */
import { starts, changes, requests, actionIn } from '../../access/actions.ts';
import type { Act } from '../../access/permissions.ts';
import { requireMay } from '../../access/require.ts';
import { owner } from '../../access/speaker.ts';
import { repositoryName } from '../../config/load-config.ts';
import { flagName, isSetting, requestDeed, flagSettings } from '../../config/settings-table.ts';
import { kindOfWords } from './change-words.ts';
import type { StartPlace } from './start-place.ts';
import type { StartRequest, NamedChange } from './start-request.ts';

/** @throws CollabError `forbidden` for the first key that the speaker may not use */
export function checkRequest(
  request: StartRequest,
  { speaker = owner, cwd, repository = repositoryName(cwd) }: StartPlace,
): void {
  const { kind, ...words } = request;
  requireMay(speaker, actionIn(starts, kind, repository), `/${kind}`);
  if (kind !== 'review') requireMay(speaker, { does: 'read the repository', what: repository }, `/${kind}`);
  for (const [key, value] of Object.entries(words)) {
    if (value === undefined || key === 'changes') continue;
    requireMay(speaker, aimed(actOf(kind, key), value, repository), describeWord(key, value));
  }
  if (request.kind !== 'review') return;
  const named: readonly NamedChange[] =
    request.changes.length === 0 ? [{ kind: 'working_tree' }] : request.changes;
  for (const change of named) {
    requireMay(speaker, { does: changes[kindOf(change)], what: repository }, describeChange(change));
  }
}

/** Returns null for a key that the kind of request does not have. */
function actOf(kind: StartRequest['kind'], key: string): Act | null {
  if (isSetting(key)) return flagSettings(kind).includes(key) ? { does: requestDeed(key) } : null;
  return actionIn(requests[kind], key);
}

/** Adds the name that a grant would have. */
function aimed(action: Act | null, value: unknown, repository: string): Act | null {
  switch (action?.does) {
    case 'choose the advisor':
    case 'choose the lead':
      return { ...action, what: String(value) };
    case 'read the repository':
      return { ...action, what: repository };
    default:
      return action;
  }
}

function kindOf(change: NamedChange): keyof typeof changes {
  if (change.kind !== 'argument') return change.kind;
  return kindOfWords(change.words);
}

/** `cache: false` is `--no-cache`. */
function describeWord(key: string, value: unknown): string {
  const name = isSetting(key) ? flagName(key) : key.replaceAll('_', '-');
  const flag = `--${value === false ? 'no-' : ''}${name}`;
  return typeof value === 'string' && value.length <= mostShown ? `${flag} ${value}` : flag;
}

function describeChange(change: NamedChange): string {
  switch (change.kind) {
    case 'argument':
      return change.words;
    case 'range':
      return change.range;
    case 'base':
      return `--base ${change.ref}`;
    case 'commit':
      return `--commit ${change.sha}`;
    case 'staged':
      return '--staged';
    case 'file':
      return change.path;
    case 'stdin':
      return 'a diff';
    case 'working_tree':
      return 'the working tree';
  }
}

/** Characters of a value in a refusal. */
const mostShown = 100;
