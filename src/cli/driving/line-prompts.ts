/** Questions at a terminal that prints lines and nothing else, such as the shell of an editor. */
import { createInterface } from 'node:readline';
import type { NumberedChoice } from './choose.ts';

const canceled = Symbol('canceled');

/** Lines that arrived together with the answer of an earlier question. */
const ahead: string[] = [];

/** Asks again until a line is the number of a choice. Resolves with a symbol at the end of the input. */
export async function chooseByLine<Value extends string>(
  message: string,
  choices: readonly NumberedChoice<Value>[],
  signal: AbortSignal,
): Promise<Value | symbol> {
  const list = choices.map(({ label }, index) => `  ${index + 1}. ${label}\n`).join('');
  process.stderr.write(`${message}\n${list}`);
  for (;;) {
    const line = await askOneLine(`1-${choices.length}`, signal);
    if (typeof line === 'symbol') return line;
    const choice = /^\s*\d+\s*$/.test(line) ? choices[Number(line) - 1] : undefined;
    if (choice !== undefined) return choice.value;
  }
}

/** Resolves with a symbol at the end of the input. */
export async function askOneLine(message: string, signal: AbortSignal): Promise<string | symbol> {
  process.stderr.write(`${message}: `);
  const known = ahead.shift();
  if (known !== undefined) return known;
  const reader = createInterface({ input: process.stdin, terminal: false });
  const close = (): void => reader.close();
  signal.addEventListener('abort', close, { once: true });
  reader.on('line', (line) => {
    // Lines may arrive together: keep them all.
    if (ahead.push(line) === 1) setImmediate(close);
  });
  await new Promise<void>((resolve) => {
    reader.once('close', resolve);
    if (signal.aborted) close();
  });
  signal.removeEventListener('abort', close);
  return ahead.shift() ?? canceled;
}

/** Resolves with a symbol if the input ends before a line. */
export async function askSeveralLines(message: string, signal: AbortSignal): Promise<string | symbol> {
  process.stderr.write(`${message}\n`);
  const lines: string[] = [];
  for (;;) {
    const line = await askOneLine('', signal);
    if (typeof line === 'symbol') return lines.length > 0 && !signal.aborted ? lines.join('\n') : line;
    if (line.trim() === '' && lines.length > 0) return lines.join('\n');
    lines.push(line);
  }
}
