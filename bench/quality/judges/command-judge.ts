/** A judge of the user's own: a command that reads a question as JSON and prints `{"same": ["1"]}`. */
import { spawn } from 'node:child_process';
import type { Judge } from './judge.ts';
import { readVerdict } from './read-verdict.ts';

/** The line is run by the shell, as the user wrote it; the question is only on standard input. */
export function commandJudge(line: string): Judge {
  return {
    name: `command:${line}`,
    judge: async (question) => {
      const { code, output } = await run(line, JSON.stringify(question));
      if (code !== 0) throw new Error(`the judge's command ended with ${code}`);
      return readVerdict(output, question);
    },
  };
}

function run(
  line: string,
  input: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(line, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
    // A command that ends without reading closes the pipe; its exit code decides.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
