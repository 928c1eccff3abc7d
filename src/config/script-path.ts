import { resolve } from 'node:path';

/** Makes a script's path absolute: in a file, it is relative to that file's folder, in a flag, to the working folder. */
export function absoluteScript(choice: string, folder: string): string {
  const script = /^rehearsal:(.+)$/s.exec(choice)?.[1];
  return script === undefined ? choice : `rehearsal:${resolve(folder, script)}`;
}
