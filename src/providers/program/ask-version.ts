import { runCommand } from '../../system/run-command.ts';

export interface AskedProgram {
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Returns the version that the program itself prints; null if it prints none. */
export async function askVersion({ program, ...options }: AskedProgram): Promise<string | null> {
  const result = await runCommand({
    file: program,
    args: ['--version'],
    ...options,
    maxOutputBytes: 4096,
    timeoutMs: 15_000,
    diesWithUs: true,
  });
  return /(\d+\.\d+\.\d+\S*)/.exec(result.stdout)?.[1] ?? null;
}
