import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { installPackedCollab } from './packed-collab.ts';

const repository = join(import.meta.dirname, '../..');
const { version } = z.object({ version: z.string() }).parse(readJson(join(repository, 'package.json')));

test('the installed command tells its version', async () => {
  const collab = await installPackedCollab();
  expect(await collab.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('the package holds the bundle, the documents and the skills, and no source, test or map', async () => {
  const { folder } = await installPackedCollab();
  const files = readdirSync(join(folder, 'node_modules/codex-collab'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(join(folder, 'node_modules/codex-collab/').length),
    );
  const expected =
    /^(bin\/collab|dist\/.+\.(js|d\.ts)|dist\/THIRD_PARTY_NOTICES|(skills|references|schemas)\/.+\.(md|yaml|json))$/;
  const roots = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
  expect(files.filter((file) => !expected.test(file) && !roots.includes(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining([...roots, 'bin/collab', 'references/protocol.md']));
  expect(files.filter((file) => file.endsWith('.test.d.ts'))).toEqual([]);
});

test('nothing but the command lies in the way of a consumer: one dependency, no script at installation', () => {
  const manifest = z
    .object({ dependencies: z.record(z.string(), z.string()), scripts: z.record(z.string(), z.string()) })
    .parse(readJson(join(repository, 'package.json')));
  expect(Object.keys(manifest.dependencies)).toEqual(['@ast-grep/napi']);
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
