/** Reviews of a working tree that another process edits all the time: the files that the agents read are those of the diff. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseUnifiedDiff } from '../../../src/parsers/diff/parse-diff.ts';
import { openAgentFolders } from '../../../src/runs/folder/agent-folders.ts';
import { prepareReview, takeChange } from '../../../src/runs/review/prepare.ts';
import { reviewOptions } from '../../../src/runs/review-options.test-helper.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { scratchFolder, scratchRepository } from '../../fixtures/scratch-repository.ts';

/** Returns how many of the rounds began while the tree was edited, and what differed in the others. */
export async function reviewWhileEdited(rounds: number, seed: number) {
  const repository = scratchRepository();
  for (let index = 0; index < 40; index += 1) repository.write(`src/${index % 4}/${index}.txt`, `${index}\n`);
  repository.commit('base');
  const listed = repository
    .git('ls-tree', '-r', '-z', 'HEAD')
    .split('\0')
    .filter((line) => line !== '');
  const base = new Map(
    listed.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[2]?.slice(0, 40) ?? '']),
  );
  const editor = fork(join(import.meta.dirname, 'editor.program.mjs'), [repository.root, String(seed)]);
  await once(editor, 'message');
  const env = { ...repository.env, XDG_STATE_HOME: scratchFolder() };
  const differences: string[] = [];
  const diffs = new Set<string>();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const options = reviewOptions({
        cwd: repository.root,
        env,
        change: { kind: 'working_tree' },
        settings: { advisor: 'static_review' },
        lead: { provider: 'claude_code', model: null, chosenBy: 'asked' },
      });
      const prepared = await takeChange(options, { keeps: true });
      const input = await prepareReview(options, prepared);
      diffs.add(input.change.diff);
      const folders = openAgentFolders({
        runId: `20261121-093000-${String(round).padStart(4, '0')}`,
        runFolder: scratchFolder(),
        env,
        clock: systemClock,
        input,
        leadReads: true,
        files: input.change.files,
      });
      await folders.copyFiles(prepared.read.counted.files.map(({ path }) => path));
      await folders.whole();
      const expected = new Map(base);
      for (const file of parseUnifiedDiff(input.change.diff).files) {
        expected.delete(file.oldPath ?? file.path);
        if (file.newBlob !== null && !/^0+$/.test(file.newBlob)) expected.set(file.path, file.newBlob);
      }
      const found = blobsIn(folders.review ?? '');
      for (const path of new Set([...expected.keys(), ...found.keys()]))
        if (expected.get(path) !== found.get(path)) differences.push(`round ${round}: ${path}`);
      await folders.remove();
    }
  } finally {
    editor.kill();
    await once(editor, 'exit');
  }
  return { differences, states: diffs.size };
}

function blobsIn(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, blobOf(readFileSync(join(folder, path)))]));
}

function blobOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
