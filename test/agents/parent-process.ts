/** A program that opens an agent and sends a prompt, to be killed while it waits. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { buildProgram } from '../setup/build-program.ts';

export interface ParentProcess {
  /** The program as a file, for callers that start it differently. */
  readonly file: string;
  /** The output lines of the last one that was started. */
  readonly said: readonly string[];
  /** Its process id. */
  start(args: readonly string[], env: Readonly<Record<string, string>>): number;
  /** The session that the last one was bound to. */
  boundSession(): string;
  kill(): void;
}

/** Bundles the program `source` below `folder`. */
export async function createParentProcess(source: string, folder: string): Promise<ParentProcess> {
  const file = await buildProgram(source, join(folder, 'program'));
  const said: string[] = [];
  let parent: ChildProcess | null = null;
  return {
    file,
    said,
    start(args, env) {
      said.length = 0;
      const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      parent = child;
      if (child.pid === undefined) throw new Error('the parent did not start');
      createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
      return child.pid;
    },
    boundSession() {
      const found = said.map((line) => /"bound":"([^"]+)"/.exec(line)?.[1]).find((id) => id !== undefined);
      if (found === undefined) throw new Error('the parent was not bound');
      return found;
    },
    kill: () => void parent?.kill('SIGKILL'),
  };
}
