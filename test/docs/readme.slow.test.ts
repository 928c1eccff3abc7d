/** Runs the console blocks of README and compares their output with the page. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/system/run-command.ts';

const repository = resolve(import.meta.dirname, '../..');
const blocks = [
  ...readFileSync(join(repository, 'README.md'), 'utf8').matchAll(/^```console\n\$ (.+)\n([\s\S]*?)^```$/gm),
].map(([, command = '', shown = '']) => ({ command, shown }));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'collab-readme-'));
  cpSync(join(repository, 'examples'), join(folder, 'examples'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the README shows commands', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(3);
});

test.each(blocks)('README: $command', async ({ command, shown }) => {
  const printed = await print(command);
  const pieces = maskTimes(shown).split(/^…\n|…$/m);
  let rest = maskTimes(printed);
  for (const piece of pieces.filter((part) => part.trim() !== '')) {
    expect(rest).toContain(piece);
    rest = rest.slice(rest.indexOf(piece) + piece.length);
  }
});

/** Returns the output as a terminal shows it: standard error first, because the report comes last. */
async function print(command: string): Promise<string> {
  const [npx, collab, ...args] = command.split(' ');
  if (npx !== 'npx' || collab !== 'collab') throw new Error(`not a command of ours: ${command}`);
  const { stdout, stderr } = await runCommand({
    file: process.execPath,
    args: [join(repository, 'bin/collab'), ...args],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    maxOutputBytes: 1024 * 1024,
  });
  return stderr + stdout;
}

function maskTimes(text: string): string {
  return text.replaceAll(/settled in [\d.]+ m?s/g, 'settled in a moment');
}
