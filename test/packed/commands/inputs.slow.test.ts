/** Inputs that `collab review` accepts, and its refusals of others: one line, a hint, exit 2, nothing left behind. */
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { providerNames } from '../../../src/providers/contract/registry.ts';
import { example, test, type Place } from '../place.ts';

const makeOne = '  Make one with: git diff main...HEAD > change.diff\n';
const unshallow =
  'etch the history: git fetch --unshallow (in GitHub Actions: actions/checkout with fetch-depth: 0)\n';
const help = '  collab --help lists the commands and flags\n';

const oneFile = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n';

interface Refusal {
  /** Arguments of `collab`. */
  readonly given: (place: Place) => readonly string[];
  readonly says: (place: Place) => string;
}

const refusals: Readonly<Record<string, Refusal>> = {
  'empty standard input': {
    given: () => ['review', '-'],
    says: () =>
      'collab: standard input is empty\n' +
      '  Pipe a diff (git diff main...HEAD | collab review -), or accept it: --allow-empty\n',
  },
  'an empty file': {
    given: ({ write }) => ['review', write('empty.diff', '')],
    says: ({ folder }) =>
      `collab: ${folder}/empty.diff is empty\n` +
      '  Pipe a diff (git diff main...HEAD | collab review -), or accept it: --allow-empty\n',
  },
  'text that is no diff': {
    given: ({ write }) => ['review', write('garbage.diff', 'hello\nworld\n')],
    says: ({ folder }) => `collab: ${folder}/garbage.diff contains no unified diff\n${makeOne}`,
  },
  'a binary file': {
    given: ({ write }) => [
      'review',
      write('picture.diff', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2)),
    ],
    says: ({ folder }) => `collab: ${folder}/picture.diff is a binary file\n${makeOne}`,
  },
  'a merge diff': {
    given: ({ write }) => [
      'review',
      write('merge.diff', 'diff --cc a.ts\nindex 1,2..3\n--- a/a.ts\n+++ b/a.ts\n@@@ -1 -1 +1 @@@\n++a\n'),
    ],
    says: ({ folder }) =>
      `collab: ${folder}/merge.diff holds a merge diff: line 1: a.ts is compared with both sides of a merge\n` +
      '  compare with one side: git diff <merge>^1 <merge> | collab review -, or: collab review --commit <merge>\n',
  },
  'a series of commits': {
    given: ({ write }) => ['review', write('series.diff', oneFile.repeat(2))],
    says: ({ folder }) =>
      `collab: ${folder}/series.diff holds several diffs: line 6: a.ts is in it twice\n` +
      '  make one diff of the whole range: git diff <first>^ <last> | collab review -\n',
  },
  'a comparison of folders without the text of new files': {
    given: ({ write }) => [
      'review',
      write('folders.diff', `diff -ru a/a.ts b/a.ts\n${oneFile}Only in b: b.ts\n`),
    ],
    says: ({ folder }) =>
      `collab: ${folder}/folders.diff leaves files out: line 7: Only in b: b.ts\n` +
      '  include the text of new and deleted files: diff -ruN <old> <new> | collab review -\n',
  },
  'more than 256 MB': {
    given({ write }) {
      const file = write('huge.diff', '');
      truncateSync(file, 256 * 2 ** 20 + 1);
      return ['review', file];
    },
    says: ({ folder }) =>
      `collab: ${folder}/huge.diff is larger than 256 MB\n` +
      '  Review a smaller range, or part of the files: git diff main...HEAD -- src | collab review -\n',
  },
  'a file that is not there': {
    given: () => ['review', 'nowhere.diff'],
    says: ({ folder }) =>
      `collab: ${folder}/nowhere.diff does not exist\n` +
      '  Name a diff file, - for standard input, a range a...b, or nothing for the working tree\n',
  },
  'a folder outside of a repository': {
    given: () => ['review'],
    says: ({ folder }) =>
      `collab: ${folder} is not in a git repository\n` +
      '  Name a diff file, or pipe one: git diff main...HEAD | collab review -\n',
  },
  'a range whose end git does not know': {
    given(place) {
      commit(place, 'a.txt');
      return ['review', 'HEAD...nowhere'];
    },
    says: () => 'collab: git finds no commit "nowhere"\n  See the existing ones: git branch --all\n',
  },
  'a shallow clone without a merge base': {
    given(place) {
      shallowClone(place);
      return ['review', 'origin/main...HEAD'];
    },
    says: () => `collab: origin/main...HEAD: no merge base in this shallow clone\n  F${unshallow}`,
  },
  'two changes at once': {
    given: () => ['review', '--staged', '--base', 'main'],
    says: () =>
      'collab: the command names two changes\n' +
      '  use one of: a diff file, a range, a pull request, --base, --staged, --commit\n',
  },
  'a misspelt flag': {
    given: () => ['review', '--fail-onn', 'minor'],
    says: () => `collab: unknown option '--fail-onn' (Did you mean --fail-on?)\n${help}`,
  },
  'a misspelt command': {
    given: () => ['reviw'],
    says: () => `collab: unknown command 'reviw' (Did you mean review?)\n${help}`,
  },
  'a grade that is none': {
    given: () => ['review', '--fail-on', 'criticl'],
    says: () =>
      "collab: option '--fail-on <severity>' argument 'criticl' is invalid. " +
      `Allowed choices are critical, important, minor, never.\n${help}`,
  },
  'a misspelt key of the configuration': {
    given({ write }) {
      write('collab.config.yaml', '# ours\nconcurrency: 2\n  # below\nfail_onn: minor\n');
      return ['review', example('harmless.diff')];
    },
    says: () => 'collab: collab.config.yaml:4:1: unknown key fail_onn\n  Did you mean fail_on?\n',
  },
  'an advisor that is none': {
    given: () => ['review', example('harmless.diff'), '--advisor', 'codx'],
    says: () =>
      `collab: there is no provider "codx"; is codex meant?\n  known providers: ${providerNames.join(', ')}\n`,
  },
};

describe.concurrent('one clear line and exit 2, and nothing is left behind', () => {
  test.for(Object.entries(refusals))('for %s', async ([, { given, says }], { place, expect }) => {
    const args = given(place);
    const before = place.names();
    const ended = await place.collab(args);
    expect(ended).toEqual({ code: 2, stdout: '', stderr: says(place) });
    expect(place.names()).toEqual(before);
  });
});

test('a report that cannot be written is refused, and no run is left', async ({ place, expect }) => {
  const args = ['review', example('harmless.diff'), '--advisor', 'static_review', '--report', 'json=.'];
  expect(await place.collab(args)).toEqual({
    code: 2,
    stdout: '',
    stderr: `collab: ${place.folder} is a folder; nothing is read or written through it\n  Name another path, or move this one away; collab did not create it.\n`,
  });
  expect(place.runs()).toEqual([]);
});

describe.concurrent('accepted input', () => {
  test('new, untracked files are reviewed, ignored ones are not', async ({ place, expect }) => {
    commit(place, '.gitignore', 'ignored.ts\n');
    place.write('new.ts', risky);
    place.write('ignored.ts', risky);
    const { code, stdout, stderr } = await place.collab(['review', '--advisor', 'static_review']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^reviewing working tree against HEAD [0-9a-f]{12}: 1 changed file, 1 of them untracked\n {2}by static_review/,
    );
    expect(stdout).toContain('new.ts:2: critical: ');
    expect(stdout).not.toContain('ignored.ts');
  });

  test('a repository without commits is compared with the empty tree', async ({ place, expect }) => {
    place.git('init', '--quiet');
    place.write('first.ts', risky);
    const { code, stdout, stderr } = await place.collab(['review', '--advisor', 'static_review']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^reviewing working tree of a repository without commits: 1 changed file, 1 of them untracked\n/,
    );
    expect(stdout).toContain('first.ts:2: critical: ');
  });

  test('the run itself is never part of the change', async ({ place, expect }) => {
    place.git('init', '--quiet');
    place.write('first.ts', risky);
    await place.collab(['review', '--advisor', 'static_review']);
    const again = await place.collab(['review', '--plan']);
    expect(again.stdout).toContain('1 file changed, 3 lines\n');
    const [, share = ''] =
      /^each request begins with the same [\d,]+ tokens, about (\d+) % of/m.exec(again.stdout) ?? [];
    expect(Number(share)).toBeGreaterThanOrEqual(60);
    expect(place.git('status', '--porcelain')).toBe('?? first.ts\n');
  });

  test('a diff comes from standard input', async ({ place, expect }) => {
    place.git('init', '--quiet');
    place.write('first.ts', risky);
    place.git('add', '--all');
    const input = place.git('diff', '--cached');
    const { code, stdout, stderr } = await place.collab(['review', '-'], { input });
    expect({ code, found: /^first\.ts:2: critical: /m.test(stdout) }).toEqual({ code: 1, found: true });
    expect(stderr).toMatch(/^reviewing .*standard input/);
  });

  test.for([
    ['--staged', []],
    ['--commit', ['HEAD']],
    ['--base', ['HEAD~1']],
  ] as const)('%s takes its part of the history alone', async ([flag, value], { place, expect }) => {
    commit(place, 'a.ts');
    commit(place, 'committed.ts');
    place.write('staged.ts', risky);
    place.git('add', 'staged.ts');
    place.write('untracked.ts', risky);
    const { stdout } = await place.collab(['review', flag, ...value, '--plan']);
    const name = flag === '--staged' ? 'staged.ts' : 'committed.ts';
    expect(stdout).toMatch(new RegExp(`^chunk-1: .*: ${name.replace('.', '\\.')}$`, 'm'));
    expect(stdout).toContain('1 file changed, ');
  });
});

test('30 MB are planned, and no line is lost', async ({ place, expect }) => {
  const files = 800;
  const line = '+export const value = compute(12345); // a line as they are, of 78 characters.\n';
  const lines = 500;
  const fileOf = (number: number) =>
    `diff --git a/f${number}.ts b/f${number}.ts\nnew file mode 100644\n--- /dev/null\n+++ b/f${number}.ts\n` +
    `@@ -0,0 +1,${lines} @@\n${line.repeat(lines)}`;
  const diff = place.write(
    'large.diff',
    Array.from({ length: files }, (_, number) => fileOf(number)).join(''),
  );
  expect(statSync(diff).size).toBeGreaterThan(30e6);
  const { code, stdout, stderr } = await place.collab(['review', diff, '--plan']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('\n800 files changed, 400,000 lines\n');
  const chunks = [...stdout.matchAll(/^chunk-\d+: ([\d,]+) lines/gm)];
  const planned = chunks.reduce((sum, [, count = '']) => sum + Number(count.replace(',', '')), 0);
  expect(planned).toBe(files * lines);
  expect(place.names()).toEqual(['large.diff']);
});

describe.concurrent('nothing to review', () => {
  test('an empty file is not an error with --allow-empty, and nothing is reviewed', async ({
    place,
    expect,
  }) => {
    const file = place.write('empty.diff', '');
    const { code, stdout } = await place.collab(['review', file, '--allow-empty']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing reviewed — no line was looked at\n  the change is empty\n');
    expect(stdout).not.toContain('clean');
  });

  test('an empty range with known ends is not an error, and nothing is reviewed', async ({
    place,
    expect,
  }) => {
    commit(place, 'a.txt');
    const { code, stdout, stderr } = await place.collab(['review', 'HEAD...HEAD']);
    expect({ code, head: stdout.split('\n')[0] }).toEqual({
      code: 0,
      head: 'nothing reviewed — no line was looked at',
    });
    expect(stderr).toMatch(/^reviewing HEAD\.\.\.HEAD.*\n {2}no reviewable lines, so no agent is called\n/);
  });

  test.for([
    [[], 0],
    [['--fail-on-empty'], 3],
  ] as const)(
    'a change of skipped files alone, with %j, exits %i and promises nothing',
    async ([flags, code], { place, expect }) => {
      place.git('init', '--quiet');
      place.write('package-lock.json', '{}\n');
      place.write('picture.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3));
      const ended = await place.collab(['review', ...flags, '--format', 'json']);
      expect(ended.code).toBe(code);
      expect(JSON.parse(ended.stdout)).toMatchObject({
        outcome: 'nothing_reviewed',
        assurance: 'none',
        reasons: [expect.stringContaining('nothing reviewable: 1 lock file, 1 binary')],
        findings: [],
      });
      expect(ended.stderr).toContain('skipped package-lock.json: lock file\nskipped picture.png: binary');
    },
  );
});

const risky = 'export function run(code: string) {\n  eval(code);\n}\n';

function commit(place: Place, path: string, content = 'one\n'): void {
  place.git('init', '--quiet');
  place.write(path, content);
  place.git('add', '--all');
  place.git('commit', '--quiet', '--message', path);
}

/** One commit of each branch: their common ancestor is missing. */
function shallowClone(place: Place): void {
  const upstream = join(place.folder, 'upstream');
  const git = (...args: readonly string[]) => place.git('-C', upstream, ...args);
  place.write('upstream/a.txt', 'one\n');
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  git('checkout', '--quiet', '-b', 'topic');
  git('commit', '--quiet', '--allow-empty', '--message', 'topic');
  git('checkout', '--quiet', 'main');
  git('commit', '--quiet', '--allow-empty', '--message', 'main');
  git('checkout', '--quiet', 'topic');
  place.git('init', '--quiet');
  place.git('remote', 'add', 'origin', `file://${upstream}`);
  place.git('fetch', '--quiet', '--depth', '1', 'origin', 'main', 'topic');
  place.git('checkout', '--quiet', '-b', 'topic', 'origin/topic');
}
