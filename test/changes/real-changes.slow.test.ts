/**
 * Done when 3: the kinds of change that are rare in a history, made with real git, and this repository's own history.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveChange } from '../../src/git/change/resolve-change.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { scratchRepository, type ScratchRepository } from '../fixtures/scratch-repository.ts';
import { expectWholeChange } from './numstat.ts';

const lines = (count: number, text = 'line') =>
  Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join('');
const latin = (...rows: readonly string[]) => Buffer.from(rows.map((row) => `${row}\n`).join(''), 'latin1');

interface Kind {
  readonly before: (repository: ScratchRepository) => void;
  readonly after: (repository: ScratchRepository) => void;
  /** The parsed files: `change mode path`. */
  readonly files: readonly string[];
}

const kinds: Readonly<Record<string, Kind>> = {
  'a rename with changes, and one without': {
    before({ write }) {
      write('old/a.ts', lines(20));
      write('old/b.ts', lines(20, 'other'));
    },
    after({ write, git }) {
      git('mv', 'old', 'new');
      write('new/a.ts', `${lines(20)}more\n`);
    },
    files: ['renamed 100644 new/a.ts', 'renamed null new/b.ts'],
  },
  'a mode change with and without changed lines': {
    before({ write }) {
      write('a.sh', lines(3));
      write('b.sh', lines(3, 'b'));
    },
    after({ root, write }) {
      chmodSync(join(root, 'a.sh'), 0o755);
      write('b.sh', lines(4, 'b'));
      chmodSync(join(root, 'b.sh'), 0o755);
    },
    files: ['mode_changed 100755 a.sh', 'modified 100755 b.sh'],
  },
  'a submodule that comes, moves on and goes': {
    before({ git }) {
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},moves`);
      git('update-index', '--add', '--cacheinfo', `160000,${'2'.repeat(40)},goes`);
    },
    after({ git }) {
      git('update-index', '--cacheinfo', `160000,${'3'.repeat(40)},moves`);
      git('update-index', '--force-remove', 'goes');
      git('update-index', '--add', '--cacheinfo', `160000,${'4'.repeat(40)},comes`);
    },
    files: ['added 160000 comes', 'deleted null goes', 'modified 160000 moves'],
  },
  'a symbolic link, and a file that becomes one': {
    before({ root, write }) {
      symlinkSync('a', join(root, 'link'));
      write('file', lines(3));
    },
    after({ root }) {
      rmSync(join(root, 'link'));
      symlinkSync('b', join(root, 'link'));
      rmSync(join(root, 'file'));
      symlinkSync('elsewhere', join(root, 'file'));
    },
    files: ['deleted null file', 'added 120000 file', 'modified 120000 link'],
  },
  'line ends of Windows, alone and among others': {
    before({ write }) {
      write('a.txt', lines(5).replaceAll('\n', '\r\n'));
      write('b.txt', 'one\r\ntwo\nthree\r\n');
    },
    after({ write }) {
      write('a.txt', lines(5));
      write('b.txt', 'one\r\nTWO\nthree\r\nlone \r return\r\n');
    },
    files: ['modified 100644 a.txt', 'modified 100644 b.txt'],
  },
  'no newline at the end, on either side or both': {
    before({ write }) {
      write('a.txt', 'one\ntwo');
      write('b.txt', 'one\ntwo\n');
      write('c.txt', 'one\ntwo');
    },
    after({ write }) {
      write('a.txt', 'one\ntwo\n');
      write('b.txt', 'one\ntwo');
      write('c.txt', 'ONE\ntwo');
    },
    files: ['modified 100644 a.txt', 'modified 100644 b.txt', 'modified 100644 c.txt'],
  },
  'names that git quotes': {
    before({ write }) {
      write('übersicht "alt".md', lines(4));
      write('tab\there.ts', lines(4));
    },
    after({ write, git }) {
      git('mv', 'übersicht "alt".md', '日本 語.md');
      write('tab\there.ts', lines(5));
      write('back\\slash\nline.ts', lines(2));
    },
    files: ['added 100644 back\\slash\nline.ts', 'modified 100644 tab\there.ts', 'renamed null 日本 語.md'],
  },
  'text that is not UTF-8': {
    before({ write }) {
      write('namen.txt', latin('Müller', 'Straße', 'Ende'));
    },
    after({ write }) {
      write('namen.txt', latin('Müller', 'Straßen', 'Ende', 'Pérez'));
    },
    files: ['modified 100644 namen.txt'],
  },
  'empty files that come, go and fill': {
    before({ write }) {
      write('fills', '');
      write('goes', '');
    },
    after({ root, write }) {
      write('fills', 'x\n');
      rmSync(join(root, 'goes'));
      write('comes', '');
    },
    // A removed and an added file can be a rename to git.
    files: ['renamed null comes', 'modified 100644 fills'],
  },
  'binary files': {
    before({ write }) {
      write('a.png', Uint8Array.of(0, 1, 2));
    },
    after({ write }) {
      write('a.png', Uint8Array.of(0, 1, 3));
      write('b.png', Uint8Array.of(0, 9));
    },
    files: ['modified 100644 a.png', 'added 100644 b.png'],
  },
  'content that looks like a diff': {
    before({ write }) {
      write('a.diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n');
    },
    after({ write }) {
      write(
        'a.diff',
        '-- a/x\n++ b/x\n@@@ -1 +1 @@@\ndiff --git a/y b/y\nIndex: z\n\\ No newline at end of file\n',
      );
    },
    files: ['modified 100644 a.diff'],
  },
};

describe.each(Object.entries(kinds))('%s', (_name, { before, after, files }) => {
  test('is counted as git counts it, and no line is lost in the chunks', async () => {
    const repository = scratchRepository();
    before(repository);
    commitIndex(repository);
    after(repository);
    commitIndex(repository);
    const { diffText } = await resolveChange(
      { kind: 'commit', sha: 'HEAD' },
      { cwd: repository.root, env: repository.env },
    );
    const diff = (...flags: readonly string[]) => repository.git('diff', '-M', ...flags, 'HEAD~1', 'HEAD');
    expectWholeChange(diffText, diff('--numstat', '-z'));
    expectWholeChange(diff(), diff('--numstat', '-z'));
    const read = parseUnifiedDiff(diffText).files;
    expect(read.map(({ change, newMode, path }) => `${change} ${newMode} ${path}`)).toEqual(files);
    for (const { path, newMode, hunks } of read) {
      const shown = hunks.flatMap((hunk) => hunk.lines).filter(({ newLine }) => newLine !== null);
      if (shown.length === 0 || newMode === '160000') continue;
      const text = repository.git('show', `HEAD:${path}`).split('\n');
      expect(shown.map((line) => line.text)).toEqual(shown.map(({ newLine }) => text[(newLine ?? 0) - 1]));
    }
  });
});

test('a merge is compared with its first parent, and its combined diff is refused', async () => {
  const repository = scratchRepository();
  const { git, write, commit, root, env } = repository;
  write('a.txt', lines(9));
  commit('base');
  git('checkout', '--quiet', '-b', 'side');
  write('a.txt', lines(9).replace('line 1', 'side 1'));
  commit('side');
  git('checkout', '--quiet', 'main');
  write('a.txt', lines(9).replace('line 8', 'main 8'));
  commit('main');
  git('merge', '--quiet', '--no-commit', 'side');
  write('a.txt', lines(9).replace('line 1', 'both 1').replace('line 8', 'both 8'));
  commit('merge');
  const { diffText } = await resolveChange({ kind: 'commit', sha: 'HEAD' }, { cwd: root, env });
  expectWholeChange(diffText, git('diff', '--numstat', '-z', 'HEAD^1', 'HEAD'));
  const { files, faults } = parseUnifiedDiff(git('show', '--cc', 'HEAD'));
  expect({ files, kinds: faults.map(({ kind }) => kind) }).toEqual({ files: [], kinds: ['merge'] });
});

test('a copy is reported as a copy, with its changes', () => {
  const { git, write, commit } = scratchRepository();
  write('a.txt', lines(30));
  commit('base');
  write('a.txt', `${lines(30)}more\n`);
  write('b.txt', `${lines(30)}other\n`);
  commit('copy');
  const diff = (...flags: readonly string[]) => git('diff', '-C', ...flags, 'HEAD~1', 'HEAD');
  expectWholeChange(diff(), diff('--numstat', '-z'));
  expect(parseUnifiedDiff(diff()).files.map(({ change }) => change)).toEqual(['modified', 'copied']);
});

test('the last hundred commits of this repository, as far as its history goes', () => {
  // A shallow clone has one commit and no parent of it; a tarball has none.
  const ids = historyOf();
  expect(ids.length).toBeLessThanOrEqual(100);
  for (const id of ids) {
    const show = (...flags: readonly string[]) => ownGit('diff-tree', '-r', '-M', ...flags, `${id}^`, id);
    expectWholeChange(show('-p'), show('--numstat', '-z'));
  }
});

function historyOf(): readonly string[] {
  try {
    return ownGit('log', '--no-merges', '--min-parents=1', '-100', '--format=%H').trim().split('\n');
  } catch {
    // Without git or a repository, only the differences of package releases are tested.
    return [];
  }
}

function ownGit(...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: resolve(import.meta.dirname, '../..'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Entries of the index that the work tree lacks, such as a submodule without a folder, are committed as well. */
function commitIndex({ git }: ScratchRepository): void {
  const submodules = git('ls-files', '--stage')
    .split('\n')
    .filter((line) => line.startsWith('160000 '));
  git('add', '--all');
  for (const line of submodules) {
    const [, id = '', path = ''] = /^160000 (\w+) 0\t(.*)$/u.exec(line) ?? [];
    git('update-index', '--add', '--cacheinfo', `160000,${id},${path}`);
  }
  git('commit', '--quiet', '--allow-empty', '--message', 'state');
}
