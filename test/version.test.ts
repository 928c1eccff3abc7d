/**
 * `package.json` is the home of the version. Other files repeat it, because other programs read it there: these, and the plugins and
 * skills (`docs/skill-lint.test.ts`).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { version } from '../src/version.ts';

const repository = join(import.meta.dirname, '..');
const versioned = z.looseObject({ version: z.string() });

test('the lock has the version of the package', () => {
  const lock = versioned
    .extend({ packages: z.looseObject({ '': versioned }) })
    .parse(JSON.parse(read('package-lock.json')));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});

test('each action and each npm package of ours that a file names has the version of the package', () => {
  const named = shippedFiles().flatMap((path) =>
    [...read(path).matchAll(/codex-collab(?:\/publish)?@v?(\d+\.\d+\.\d+[\w.-]*)/g)].map(
      ([, found]) => [path, found] as const,
    ),
  );
  expect(new Set(named.map(([path]) => path))).toEqual(
    new Set([
      'examples/ci/github-publish.yml',
      'examples/ci/github-review.yml',
      'examples/ci/gitlab-ci.yml',
      'references/ci.md',
    ]),
  );
  expect(named.filter(([, found]) => found !== version)).toEqual([]);
});

test('the provider among the examples needs this version or a later one', () => {
  const { dependencies } = z
    .looseObject({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('examples/ai_client/echo/package.json')));
  expect(dependencies).toEqual({ 'codex-collab': `>=${version}` });
});

/** Tracked texts except tests, whose fixtures come from earlier versions. */
function shippedFiles(): readonly string[] {
  return execFileSync('git', ['ls-files', '-z', '*.md', '*.yml', '*.yaml', '*.json', '*.mjs', '*.ts'], {
    cwd: repository,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && !path.startsWith('test/') && !path.endsWith('.test.ts'));
}

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}
