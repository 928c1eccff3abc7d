import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openGrowingFile } from './growing-file.ts';

async function partsOf(text: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'collab-growing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'lines'), text);
  const file = openGrowingFile(join(folder, 'lines'));
  const parts: string[] = [];
  for (let part = await file.nextLines(); part.length > 0; part = await file.nextLines())
    parts.push(part.toString('utf8'));
  await file.close();
  return parts;
}

test('a burst of lines is read in small parts, so that a server does other work between them', async () => {
  const text = 'a line of the journal\n'.repeat(5000);
  const parts = await partsOf(text);
  expect(parts.join('')).toBe(text);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(16 * 1024);
  expect(parts.every((part) => part.endsWith('\n'))).toBe(true);
});

test('a line that is longer than a part is read whole', async () => {
  const long = `${'long '.repeat(20_000)}\n`;
  expect((await partsOf(`short\n${long}short\n`)).join('')).toBe(`short\n${long}short\n`);
});
