/** Prepares a command from a server's request like a typed one, and returns the run undriven. */
import { CommanderError } from 'commander';
import { resolve } from 'node:path';
import { may } from '../../access/may.ts';
import type { Guest, Speaker } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { requireMay } from '../../access/require.ts';
import { parseProviderChoice, providerNames } from '../../providers/contract/registry.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { CommandCall } from '../../server/runs/run-ports.ts';
import { defaultFlags } from '../flags/default-flags.ts';
import type { ParsedLine, Program } from '../program.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import { checkGuestCommand, givenFlags } from './guest-command.ts';
import { leadForGuest } from './serve-lead.ts';
import { repositoryName } from '../../config/load-config.ts';
import { absoluteChoice, folderFor, isOwnChoice } from './served-place.ts';
import { skillFolder } from './served-skills.ts';
import type { Session } from '../session.ts';

export interface ServedCommands {
  readonly session: Session;
  readonly flags: ServeFlags;
  readonly read: Program['read'];
}

/** @throws CollabError as the command, `usage` for one that starts no run, `forbidden` */
export async function prepareServed(
  { speaker, home, args, text, skills, signal }: CommandCall,
  { session, flags, read }: ServedCommands,
): Promise<RunFolder> {
  const words =
    speaker.kind === 'guest' ? allowedWords(speaker, readAsked(args, read), { args, session, flags }) : args;
  const cwd = folderFor(speaker, session);
  const folders = skills.map((name) => skillFolder(name, cwd));
  const defaults = await defaultsFor(speaker, words, { session, flags, skill: folders[0] });
  let taken: RunFolder | null = null;
  await readAsked(withDefaults(words, defaults), read).action({
    ...session,
    cwd,
    // A request must never read the server's own standard input as its diff.
    given: text ?? '',
    speaker,
    signal: AbortSignal.any([session.signal, signal]),
    env: { ...session.env, COLLAB_HOME: home, CLAUDECODE: undefined },
    out: () => undefined,
    err: () => undefined,
    takesOver(found) {
      taken = found;
      return Promise.resolve(0);
    },
  });
  if (taken === null) throw new CollabError('usage', `${args[0] ?? 'this'} begins no run`);
  return taken;
}

/** @throws CollabError `usage` */
function readAsked(args: readonly string[], read: Program['read']): ParsedLine {
  const asked = parse(args, read);
  if (asked?.command) return asked;
  throw new CollabError('usage', `${args.join(' ')} begins no run`);
}

function parse(args: readonly string[], read: Program['read']): ParsedLine | null {
  try {
    return read(args);
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    throw new CollabError('usage', cause.message.replace(/^error: /, ''), { cause });
  }
}

interface Said extends Pick<ServedCommands, 'session' | 'flags'> {
  readonly args: readonly string[];
}

/**
 * Returns the words of the request; a flag that names the server's own agent is dropped.
 * @throws CollabError `forbidden`
 */
function allowedWords(
  speaker: Guest,
  { command }: ParsedLine,
  { args, session, flags }: Said,
): readonly string[] {
  if (command === null) return args;
  const own = { '--advisor': flags.advisor, '--lead': flags.lead };
  const given = givenFlags(command);
  const left = new Set(
    Object.entries(own).flatMap(([flag, choice]) => {
      const named = given.find((one) => one.flag === flag)?.value;
      return typeof named === 'string' && isOwnChoice(named, choice, speaker) ? [flag] : [];
    }),
  );
  checkGuestCommand(speaker, command, { repository: repositoryName(session.cwd), left });
  return withoutFlags(args, left);
}

/** After `--` there are no flags. */
function withoutFlags(args: readonly string[], flags: ReadonlySet<string>): readonly string[] {
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  const kept = words.filter((word, index) => {
    const before = words[index - 1] ?? '';
    return !flags.has(word.split('=', 1)[0] ?? '') && !flags.has(before);
  });
  return [...kept, ...(end < 0 ? [] : args.slice(end))];
}

/** Returns the flags that the server was started with, as far as they apply to the speaker. */
async function defaultsFor(
  speaker: Speaker,
  [command = '']: readonly string[],
  {
    session,
    flags,
    skill,
  }: Pick<ServedCommands, 'session' | 'flags'> & { readonly skill: string | undefined },
): Promise<Readonly<Record<string, string | undefined>>> {
  const { cwd } = session;
  const isOwner = speaker.kind !== 'guest';
  const advisor = parseProviderChoice(flags.advisor ?? 'auto').provider;
  if (advisor !== 'auto' && !providerNames.includes(advisor)) {
    requireMay(speaker, { does: "run a provider's folder", what: advisor }, `the advisor ${advisor}`);
  }
  const lead = isOwner ? flags.lead : await leadForGuest(speaker, command, { session, flags });
  const readsRepository = may(speaker, { does: 'read the repository', what: repositoryName(cwd) }).allowed;
  return {
    '--lead': command === 'consult' ? undefined : absoluteChoice(lead, cwd),
    '--skill': command === 'run' ? skill : undefined,
    '--advisor': absoluteChoice(flags.advisor, cwd),
    '--language': flags.language,
    '--config': flags.config === undefined ? undefined : resolve(cwd, flags.config),
    '--config-from': readsRepository ? flags.configFrom : undefined,
  };
}

function withDefaults(
  [command = '', ...args]: readonly string[],
  defaults: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return [command, ...defaultFlags(args, defaults), ...args];
}
