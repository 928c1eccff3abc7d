/**
 * Checks whether Codex's sandbox can start. Without it, no command of the model can read a file (in a container without user
 * namespaces).
 */
import { runCommand } from '../../../system/run-command.ts';
import type { AskedProgram } from '../../program/ask-version.ts';

export type SandboxProbe = { readonly works: true } | { readonly works: false; readonly reason: string };

/** Its environment has the run's CODEX_HOME, or a private one. */
export async function probeSandbox({ program, env, cwd, signal }: AskedProgram): Promise<SandboxProbe> {
  const result = await runCommand({
    file: program,
    args: ['sandbox', '--', ...nothing],
    cwd,
    env,
    maxOutputBytes: 64 * 1024,
    timeoutMs: 15_000,
    signal,
  });
  if (result.exitCode === 0) return { works: true };
  const said = result.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('WARNING'));
  return {
    works: false,
    reason: said.at(-1) ?? `it ended with ${result.exitCode ?? result.signal ?? 'no code'}`,
  };
}

const nothing = process.platform === 'win32' ? ['cmd', '/c', 'exit', '0'] : ['true'];
