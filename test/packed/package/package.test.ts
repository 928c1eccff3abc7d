import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { installPackedCollab } from '../packed-collab.ts';
import { repository } from '../place.ts';

const { version } = z.object({ version: z.string() }).parse(readJson(join(repository, 'package.json')));

test('the installed command prints its version', async () => {
  const collab = await installPackedCollab();
  expect(await collab.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('the package contains the bundle, the documents and the skills, and no source, test or map', async () => {
  const { folder } = await installPackedCollab();
  const files = readdirSync(join(folder, 'node_modules/codex-collab'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(join(folder, 'node_modules/codex-collab/').length),
    )
    // Other tests use the same package, and a run keeps what V8 compiled.
    .filter((file) => !file.startsWith('dist/program/code-'));
  const expected =
    /^(bin\/collab|examples\/ai_client\/.+\.(js|mjs|json|md)|dist\/.+\.(js|d\.ts)|dist\/(main|program\/command-line)\.cjs|dist\/providers\/\w+\/ai_profile\/[^/]+\.json|dist\/checklists\/\w+\.md|dist\/THIRD_PARTY_NOTICES|dist\/web\/(index\.html|favicon\.svg|assets\/(.+\.(js|css)(\.(br|gz))?|(inter|jetbrains-mono)-[\w-]+\.woff2))|(commands|skills|references|schemas)\/.+\.(md|yaml|json)|references\/images\/[\w-]+\.(png|svg))$/;
  const plugin = [
    '.claude-plugin/marketplace.json',
    '.claude-plugin/plugin.json',
    '.codex-plugin/plugin.json',
  ];
  const roots = [
    ...plugin,
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/package.json',
    'examples/chat.yaml',
    'examples/demo.yaml',
    'package.json',
  ];
  expect(files.filter((file) => !expected.test(file) && !roots.includes(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining([...roots, 'bin/collab', 'references/protocol.md']));
  const fonts = files.filter((file) => file.endsWith('.woff2')).map((file) => file.split('/').at(-1));
  expect(new Set(fonts.map((font) => font?.replace(/-[\w-]{8}\.woff2$/, '')))).toEqual(
    new Set(['inter-latin-ext-wght-normal', 'inter-latin-wght-normal', 'jetbrains-mono-latin-wght-normal']),
  );
  const notices = readFileSync(join(folder, 'node_modules/codex-collab/dist/THIRD_PARTY_NOTICES'), 'utf8');
  expect(notices).toContain('@fontsource-variable/inter');
  expect(notices).toContain('SIL Open Font License');
  expect(files.filter((file) => file.endsWith('.test.d.ts'))).toEqual([]);
});

test('a consumer installs two more packages with ours, and no script of ours runs there', () => {
  const manifest = z
    .object({ dependencies: z.record(z.string(), z.string()), scripts: z.record(z.string(), z.string()) })
    .parse(readJson(join(repository, 'package.json')));
  expect(Object.keys(manifest.dependencies)).toEqual(['@ast-grep/napi', 'zod']);
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
