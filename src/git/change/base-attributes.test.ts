import { expect, test } from 'vitest';
import { scratchRepository, type ScratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { resolveChange } from './resolve-change.ts';

async function attributesOf({ root, env }: ScratchRepository) {
  return (await resolveChange({ kind: 'commit', sha: 'HEAD' }, { cwd: root, env })).attributes;
}

const generated = { generated: true, vendored: null, shown: true };

test('attributes of the old side apply to changed and new files, in folders of any name', async () => {
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

test('a file that was binary before is marked, also at its old path; one that becomes binary is not', async () => {
  const repository = scratchRepository();
  repository.write('blob', bytes('a'));
  repository.write('sub/-x [old]', bytes('b'));
  repository.write('app.js', 'export const a = 1;\n');
  repository.commit('base');
  repository.write('blob', bytes('c'));
  repository.git('mv', 'sub/-x [old]', 'moved');
  repository.write('moved', `${bytes('b')}b`);
  repository.write('app.js', 'export const a = 1;\0\n');
  repository.write('new', bytes('n'));
  repository.commit('head');
  const wasBinary = { generated: null, vendored: null, shown: true, wasBinary: true };
  expect(await attributesOf(repository)).toEqual({ blob: wasBinary, 'sub/-x [old]': wasBinary });
});

function bytes(fill: string): string {
  return `${fill}\0${fill.repeat(400)}`;
}
