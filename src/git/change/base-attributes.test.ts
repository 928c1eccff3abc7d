import { expect, test } from 'vitest';
import { scratchRepository, type ScratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { resolveChange } from './resolve-change.ts';

async function attributesOf({ root, env }: ScratchRepository) {
  return (await resolveChange({ kind: 'commit', sha: 'HEAD' }, { cwd: root, env })).attributes;
}

const generated = { generated: true, vendored: null, shown: true };

test('what the old side says holds for changed and for new files, in folders of any name', async () => {
  const repository = scratchRepository();
  repository.write('.gitattributes', 'api/** linguist-generated\n*.bin binary\n*.txt -text\n');
  repository.write('bücher/.gitattributes', '* linguist-vendored\nours.ts -linguist-vendored\n');
  repository.commit('base');
  for (const path of ['api/a.ts', 'api/new.ts', 'x.bin', 'a.txt', 'bücher/a.ts', 'bücher/ours.ts', 'b.ts']) {
    repository.write(path, 'text\n');
  }
  repository.commit('head');
  expect(await attributesOf(repository)).toEqual({
    'api/a.ts': generated,
    'api/new.ts': generated,
    'x.bin': { generated: null, vendored: null, shown: false },
    'bücher/a.ts': { generated: null, vendored: true, shown: true },
    'bücher/ours.ts': { generated: null, vendored: false, shown: true },
  });
});

test('a change cannot take its own files out of the review', async () => {
  const repository = scratchRepository();
  repository.write('a.ts', 'one\n');
  repository.commit('base');
  repository.write('.gitattributes', '* linguist-generated -diff\n');
  repository.write('a.ts', 'two\n');
  repository.commit('head');
  expect(await attributesOf(repository)).toEqual({});
  repository.write('.gitattributes', '');
  repository.write('a.ts', 'three\n');
  repository.commit('again');
  expect(await attributesOf(repository)).toMatchObject({ 'a.ts': { generated: true, shown: false } });
});
