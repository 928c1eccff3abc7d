/** The files of a commit that a run reads its settings from. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchRepository, shared } from '../../../test/fixtures/scratch-repository.ts';
import { openCommitFiles, type CommitFiles } from './commit-files.ts';

const repository = shared(() => {
  const made = scratchRepository();
  made.write('collab.yaml', 'language: ja\n');
  made.write('two\nlines/collab.yaml', 'language: en\n');
  made.write('.collab/checklists/deep/one.md', '- one\n');
  made.write('.collab/checklists/two.md', '- two\n');
  made.commit('settings');
  return made;
});

async function files(): Promise<CommitFiles> {
  const { root, env } = repository();
  const found = await openCommitFiles({ kind: 'ref', ref: 'HEAD' }, { cwd: root, env });
  if (found === null) throw new Error('there is no commit');
  onTestFinished(found.close);
  return found;
}

const at = (way: string): string => join(repository().root, way);

test('a file is found with its size, also in a folder whose name has a line end', async () => {
  const commit = await files();
  expect(await commit.find(at('collab.yaml'))).toMatchObject({ kind: 'file', sizeBytes: 13 });
  const inner = await commit.find(at('two\nlines/collab.yaml'));
  expect(inner).toMatchObject({ path: 'two\nlines/collab.yaml', kind: 'file', sizeBytes: 13 });
  expect(inner === null ? null : String(await commit.read(inner))).toBe('language: en\n');
});

test.each(['.collab', 'none.yaml', 'none/collab.yaml', 'collab.yaml/inner', '', '../outside.yaml'])(
  'there is no file %j',
  async (way) => {
    expect(await (await files()).find(at(way))).toBeNull();
  },
);

test.each([
  ['.collab/checklists', ['deep', 'two.md']],
  ['.collab/none', []],
  ['collab.yaml', []],
  ['..', []],
])('the names in %j are %j', async (way, names) => {
  expect(await (await files()).list(at(way))).toEqual(names);
});

test('a folder that this clone does not have is an error, and not an absent file', async () => {
  const broken = scratchRepository();
  broken.write('deep/collab.yaml', 'language: ja\n');
  broken.commit('settings');
  const id = broken.git('rev-parse', 'HEAD:deep').trim();
  rmSync(join(broken.root, '.git/objects', id.slice(0, 2), id.slice(2)));
  const commit = await openCommitFiles({ kind: 'ref', ref: 'HEAD' }, { cwd: broken.root, env: broken.env });
  onTestFinished(() => commit?.close());
  const looking = commit?.find(join(broken.root, 'deep/collab.yaml'));
  await expect(looking).rejects.toMatchObject({
    code: 'range',
    message: 'deep of HEAD is not in this clone',
  });
});
