/** A program beside the tests that opens an agent and asks it, to be killed while it waits. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export interface ParentProcess {
  /** The program as a file, for whoever starts it differently. */
  readonly file: string;
  /** What the last one that was started has said, a line each. */
  readonly said: readonly string[];
  /** Its process id. */
  start(args: readonly string[], env: Readonly<Record<string, string>>): number;
  /** The session that the last one was bound to. */
  boundSession(): string;
  kill(): void;
}

/** `name` is the file's beside this one, without its ending. */
export async function createParentProcess(name: string, folder: string): Promise<ParentProcess> {
  const file = await bundleProgram(name, folder);
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

/** The provider as one file, so that a plain Node 20 can run it. */
async function bundleProgram(name: string, folder: string): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, `${name}.ts`),
    platform: 'node',
    external: [/^node:/],
  });
  const file = join(folder, `${name}.mjs`);
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
