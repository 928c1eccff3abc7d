/** Compares the parser with git itself: both read changes of small random repositories. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countsOf, expectWholeChange, readNumstat } from '../../../test/changes/numstat.ts';
import { parseUnifiedDiff } from './parse-diff.ts';
import { renderDiffFile } from './render.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'collab-diff-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const names = [
  'a.ts',
  'src/b.ts',
  'src/two words.ts',
  'src/tab\there.ts',
  'quote".ts',
  'back\\slash.ts',
  '日本/語.ts',
  '--- a.ts',
  'a/b/a/x',
  'new\nline',
  'trailing ',
];

const line = fc.constantFrom(
  'one',
  'two',
  'three',
  '',
  '  indented',
  'carriage\r',
  '-- a/x',
  '++ b/x',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  '\\ No newline at end of file',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
const binary = fc.uint8Array({ minLength: 3, maxLength: 300 }).map((bytes) => Buffer.from([0, ...bytes]));
const state = fc.dictionary(
  fc.constantFrom(...names),
  fc.record({ content: fc.oneof({ weight: 6, arbitrary: text }, binary), executable: fc.boolean() }),
  { maxKeys: 7, noNullPrototype: true },
);
type State = Readonly<Record<string, { readonly content: string | Buffer; readonly executable: boolean }>>;

const options = fc.record({
  context: fc.constantFrom('-U0', '-U3', '-U10'),
  moves: fc.constantFrom('--no-renames', '-M', '-C'),
  prefix: fc.constantFrom('--no-prefix', '--src-prefix=a/', '--src-prefix=before/'),
  quoting: fc.constantFrom('core.quotePath=true', 'core.quotePath=false'),
  binary: fc.constantFrom('--binary', '--no-textconv'),
});

test('counts, paths and moves equal those of `git diff --numstat -z`', () => {
  fc.assert(
    fc.property(state, state, options, (before, after, chosen) => {
      const repository = createRepository(before, after);
      const diff = (...more: readonly string[]) =>
        git(repository, '-c', chosen.quoting, 'diff', chosen.moves, ...more, 'HEAD~1', 'HEAD');
      const output = diff(chosen.context, chosen.prefix, chosen.binary);
      const { files, preamble, faults } = parseUnifiedDiff(output);
      expect({ preamble, faults }).toEqual({ preamble: [], faults: [] });
      expect(files.map(countsOf)).toEqual(readNumstat(diff('--numstat', '-z')));
      expectWholeChange(output, diff('--numstat', '-z'));
      if (chosen.prefix !== '--src-prefix=a/') return;
      expect(parseUnifiedDiff(files.map(renderDiffFile).join('')).files).toEqual(files);
    }),
    { numRuns: 40 },
  );
});

test('hunks are rendered byte for byte as git wrote them', () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      const repository = createRepository(before, after);
      const output = git(repository, '-c', 'core.quotePath=false', 'diff', '--no-renames', 'HEAD~1', 'HEAD');
      expect(parseUnifiedDiff(output).files.map(renderDiffFile).join('')).toBe(output);
    }),
    { numRuns: 20 },
  );
});

function createRepository(before: State, after: State): string {
  const repository = mkdtempSync(join(folder, 'repository-'));
  git(repository, 'init', '-q', '--template=');
  for (const files of [before, after]) {
    git(repository, 'rm', '-rqf', '--ignore-unmatch', '.');
    for (const [name, { content, executable }] of Object.entries(files)) {
      const path = join(repository, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      chmodSync(path, executable ? 0o755 : 0o644);
    }
    git(repository, 'add', '-A');
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'state');
  }
  return repository;
}

function git(repository: string, ...commandArguments: readonly string[]): string {
  return execFileSync('git', ['-c', 'core.autocrlf=false', ...commandArguments], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.com',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
    },
  });
}
