/**
 * A tenant of a server that is not the owner of the machine says what is done, and names no file of the machine to read or to write:
 * what the server reads is said where it is started.
 */
import { CollabError } from '../../errors/collab-error.ts';

const fileFlags: ReadonlySet<string> = new Set([
  '--baseline',
  '--config',
  '--config-from',
  '--instructions',
  '--report',
  '--skill',
  '--suppressions',
  '--task-file',
]);

/** What stands after `--` is no flag. @throws CollabError `usage` */
export function refuseFileFlags(args: readonly string[]): void {
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  const names = words.map((word) => word.split('=', 1)[0] ?? '');
  // A dash is the text that came with the request.
  const flag = names.find((name, index) => fileFlags.has(name) && words[index + 1] !== '-');
  if (flag !== undefined) throw fileOfTheServer(flag);
}

export function fileOfTheServer(what: string): CollabError {
  return new CollabError('usage', `${what} names a file of the machine that serves`, {
    hint: 'its configuration says what it reads; a change is given as a diff, or as a range main...HEAD',
  });
}
