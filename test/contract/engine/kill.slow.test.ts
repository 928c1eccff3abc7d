import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { buildProgram } from '../../setup/build-program.ts';
import { createKilledReview } from './killed-review.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-kill-'));
let program = '';

beforeAll(async () => {
  program = await buildProgram(join(import.meta.dirname, 'scripted-review.program.ts'), folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('XB-1 kill -9 at every commit point: the same result, and no finished call is made twice', async () => {
  const killed = createKilledReview({
    program,
    temporaryFolder: folder,
    record: async (runFolder) => readJournal(journalFile(runFolder)).events,
  });
  const { commits } = await killed.review(join(folder, 'whole'), 0);
  expect(commits).toBeGreaterThanOrEqual(22);

  for (let commit = 1; commit <= commits; commit += 1) {
    const runFolder = join(folder, `killed-${commit}`);
    expect(await killed.review(runFolder, commit)).toMatchObject({ signal: 'SIGKILL' });
    const before = await killed.soFar(runFolder);
    const { departure } = await killed.review(runFolder, 0);
    await killed.expectWhole(runFolder, departure, before);
  }
}, 240_000);
