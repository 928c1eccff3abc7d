/** Checks a tenant's command: every word must pass the table of permissions before anything is done. */
import type { Command } from 'commander';
import { actionIn, changes, flagAction, starts } from '../../access/actions.ts';
import type { Act } from '../../access/may.ts';
import { requireMay } from '../../access/require.ts';
import type { Guest } from '../../access/speaker.ts';

export interface GivenFlag {
  /** `--fail-on`, `--no-cache` */
  readonly flag: string;
  readonly value: unknown;
}

/** Returns the flags on the line itself, without defaults. */
export function givenFlags(command: Command): readonly GivenFlag[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    if (command.getOptionValueSource(name) !== 'cli') return [];
    return option.negate === (value === false) ? [{ flag: option.long ?? option.flags, value }] : [];
  });
}

export interface Checked {
  /** The name of the served repository. */
  readonly repository: string;
  /** Flags that only repeat the server's own choice. */
  readonly left: ReadonlySet<string>;
}

/** @throws CollabError `forbidden` for the first word that the tenant may not use */
export function checkGuestCommand(speaker: Guest, command: Command, { repository, left }: Checked): void {
  const name = command.name();
  const start = actionIn(starts, name, repository);
  requireMay(speaker, start, `/${name}`);
  if (name !== 'review') requireMay(speaker, { does: 'read the repository', what: repository }, `/${name}`);
  const given = givenFlags(command).filter(({ flag }) => !left.has(flag));
  for (const one of given) checkFlag(speaker, name, one, repository);
  if (name === 'review') checkChange(speaker, command, { given, repository });
}

function checkFlag(speaker: Guest, name: string, { flag, value }: GivenFlag, repository: string): void {
  // The brief that came with the request itself.
  if (name === 'consult' && flag === '--file' && value === '-') return;
  const action = flagAction(name, flag);
  requireMay(speaker, action === null ? null : aimed(action, value, repository), wordsOf({ flag, value }));
}

/** Adds the name that a grant would have. */
function aimed(action: Act, value: unknown, repository: string): Act {
  switch (action.does) {
    case 'choose the advisor':
    case 'choose the lead':
      return { ...action, what: String(value) };
    case 'read the repository':
      return { ...action, what: repository };
    default:
      return action;
  }
}

/** Checks what no flag names: a range, the working tree, or the diff in the request. */
function checkChange(
  speaker: Guest,
  command: Command,
  { given, repository }: { readonly given: readonly GivenFlag[]; readonly repository: string },
): void {
  const [diff] = command.args;
  const byFlag = given.some(({ flag }) => flag === '--base' || flag === '--staged' || flag === '--commit');
  if (diff === undefined && byFlag) return;
  const kind =
    diff === undefined ? 'working_tree' : diff === '-' ? 'stdin' : diff.includes('..') ? 'range' : 'file';
  requireMay(speaker, { does: changes[kind], what: repository }, diff ?? 'the working tree');
}

function wordsOf({ flag, value }: GivenFlag): string {
  return typeof value === 'string' && value.length <= 100 ? `${flag} ${value}` : flag;
}
