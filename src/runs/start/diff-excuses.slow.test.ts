/** A diff from elsewhere that changes what the repository excuses, applied to the checkout or not. */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { systemClock } from '../../system/clock.ts';
import { readStandingFiles, type StandingFlags } from './standing-files.ts';

type Files = Readonly<Record<string, string | null>>;

function suppressing(...titles: readonly string[]): string {
  const entries = titles.map((title) => `  - { path: a.ts, title: ${title}, reason: known }\n`);
  return `suppressions:\n${entries.join('')}`;
}

const configuration = 'exclude: [docs]\nfail_on: minor\nsuppressions: known.yaml\n';
const base: Files = { 'collab.config.yaml': configuration, 'known.yaml': suppressing('Old'), 'a.ts': 'a\n' };
const atBase = { exclude: ['docs'], include: [], fail_on: 'minor', titles: ['Old'] };
const nothing = { exclude: [], include: [], fail_on: 'minor', titles: null };

const loose = configuration.replace('docs', 'docs, "**"').replace('minor', 'never');
const both: Files = { 'collab.config.yaml': loose, 'known.yaml': suppressing('Old', 'Mine') };

interface Change {
  readonly before?: Files;
  readonly after: Files;
  readonly flags?: readonly string[];
}

/** Two branches that differ by the change, and the diff between them. */
function repositoryWith({ before = base, after, flags = [] }: Change) {
  const repository = scratchRepository();
  const { root, write, git, commit, env } = repository;
  const put = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) rmSync(join(root, path));
      else write(path, text);
    }
  };
  put(before);
  commit('base');
  git('checkout', '--quiet', '-b', 'topic');
  put({ ...after, 'a.ts': 'b\n' });
  commit('topic');
  const diff = git('diff', ...flags, 'main', 'topic');
  const read = async (change: ChangeRequest, words: StandingFlags = {}, cwd = root) => {
    const place = { cwd, env, signal: new AbortController().signal, clock: systemClock };
    const { ofRepository, loaded, suppressions, notes } = await readStandingFiles(place, {
      flags: words,
      change,
      reviews: true,
    });
    const titles = suppressions?.entries.map(({ title }) => title) ?? null;
    return { notes, excuses: { ...ofRepository, fail_on: loaded.config.fail_on, titles } };
  };
  return { ...repository, diff, read };
}

interface ChangeCase extends Change {
  readonly what: string;
  /** The excuses if the diff is applied and differ from those of the base. */
  readonly applied?: unknown;
}

const renamed = configuration.replace('known', 'mine');

const changes: readonly ChangeCase[] = [
  { what: 'the configuration', after: { 'collab.config.yaml': loose } },
  { what: 'the suppression file', after: { 'known.yaml': suppressing('Old', 'Mine') } },
  { what: 'the configuration and the suppression file', after: both },
  { what: 'both, in a diff without context', after: both, flags: ['--unified=0'] },
  { what: 'both, in a diff without prefixes', after: both, flags: ['--no-prefix'] },
  {
    what: 'the file that it names',
    after: { 'collab.config.yaml': renamed, 'mine.yaml': suppressing('Old', 'Mine') },
  },
  {
    what: 'the name of the suppression file',
    after: { 'collab.config.yaml': renamed, 'known.yaml': null, 'mine.yaml': suppressing('Old') },
    flags: ['-M'],
    applied: { ...atBase, titles: null },
  },
  {
    what: 'the configuration, and copies it',
    after: { ...both, 'Copy.yaml': configuration },
    flags: ['-C', '--find-copies-harder'],
  },
  {
    what: 'the configuration, by removing it',
    after: { 'collab.config.yaml': null },
    applied: nothing,
  },
  {
    what: 'the configuration, by removing its keys',
    after: { 'collab.config.yaml': 'focus: tests\n' },
    applied: nothing,
  },
];

describe.each(changes)('a change of $what counts as before it', ({ applied = atBase, ...change }) => {
  test.each([
    ['as a file, applied', 'topic', 'file'],
    ['as standard input, applied', 'topic', 'stdin'],
    ['as a file, not applied', 'main', 'file'],
    ['as standard input, not applied', 'main', 'stdin'],
    ['as a range', 'topic', 'range'],
    ['as a range of the other branch', 'main', 'range'],
  ] as const)('%s', async (_title, branch, kind) => {
    const { write, git, diff, read, root } = repositoryWith(change);
    git('checkout', '--quiet', branch);
    write('../the.diff', diff);
    const requests = {
      file: { kind: 'file', path: join(root, '../the.diff') },
      stdin: { kind: 'stdin', text: diff },
      range: { kind: 'range', range: 'main..topic' },
    } as const;
    const expected = branch === 'topic' && kind !== 'range' ? applied : atBase;
    expect((await read(requests[kind])).excuses).toEqual(expected);
  });
});

test('the first line names what counts otherwise than the checkout has it', async () => {
  const { diff, read, git } = repositoryWith({ after: both });
  const applied = await read({ kind: 'stdin', text: diff });
  expect(applied.notes).toEqual([
    'settings from collab.config.yaml',
    'include and exclude of collab.config.yaml count as they are at the base of the change',
    'fail_on of collab.config.yaml counts as it is at the base of the change',
    'suppressions of collab.config.yaml count as they are at the base of the change',
    'suppressions from known.yaml of the old side of the diff',
  ]);
  git('checkout', '--quiet', 'main');
  expect((await read({ kind: 'stdin', text: diff })).notes).toEqual([
    'settings from collab.config.yaml',
    'suppressions from known.yaml of the old side of the diff',
  ]);
});

test("the owner's flags count at once", async () => {
  const { diff, read, write } = repositoryWith({ after: both });
  write('mine.yaml', suppressing('Named'));
  const change = { kind: 'stdin', text: diff } as const;
  const { excuses } = await read(change, { config: 'collab.config.yaml' });
  expect(excuses).toEqual({ fail_on: 'never', titles: ['Old', 'Mine'] });
  expect((await read(change, { suppressions: 'mine.yaml' })).excuses).toEqual({
    ...atBase,
    titles: ['Named'],
  });
});

test.each(['packages/shop', '.'])('a diff of the folder %s alone, made with --relative', async (folder) => {
  const below = (files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [join(folder, path), text]));
  const { git, read, root } = repositoryWith({ before: below(base), after: below(both) });
  const text = git('-C', folder, 'diff', '--relative', 'main', 'topic');
  for (const branch of ['topic', 'main']) {
    git('checkout', '--quiet', branch);
    expect((await read({ kind: 'stdin', text }, {}, join(root, folder))).excuses).toEqual(atBase);
  }
});

test('in a folder of the repository, the configuration at the top counts as before the diff', async () => {
  const { git, read, diff, root } = repositoryWith({
    before: { ...base, 'packages/shop/x': '' },
    after: both,
  });
  for (const branch of ['topic', 'main']) {
    git('checkout', '--quiet', branch);
    const { excuses } = await read({ kind: 'stdin', text: diff }, {}, join(root, 'packages/shop'));
    expect(excuses).toEqual(atBase);
  }
});

test.each<[string, (name: string) => string]>([
  ['./', (name) => `./${name}`],
  ['a//', (name) => `a//${name}`],
  ['the name of a folder', (name) => `lib/${name}`],
  ['a folder that is left again', (name) => `lib/../${name}`],
  ['two folders', (name) => `lib/inner/${name}`],
])('an applied diff that writes its names with %s is undone, too', async (_how, spell) => {
  const { diff, read, write } = repositoryWith({ after: both });
  write('lib/inner/one.ts', '1\n');
  const text = diff
    .replaceAll(/^diff --git .*\nindex .*\n/gm, '')
    .replaceAll(
      /^(---|\+\+\+) [ab]\/(.*)$/gm,
      (_line, mark: string, name: string) => `${mark} ${spell(name)}`,
    );
  expect((await read({ kind: 'stdin', text })).excuses).toEqual(atBase);
});

test('the configuration of another folder changes nothing', async () => {
  const before = { ...base, 'packages/shop/x': '', 'packages/other/collab.config.yaml': 'exclude: ["**"]\n' };
  const { read, diff, root } = repositoryWith({
    before,
    after: { 'packages/other/collab.config.yaml': null },
  });
  for (const cwd of [root, join(root, 'packages/shop')])
    expect((await read({ kind: 'stdin', text: diff }, {}, cwd)).excuses).toEqual(atBase);
});

test.each([
  ['its names are escaped', (diff: string) => diff.replaceAll(/([ab]\/)collab(\S*)/gu, '"$1\\143ollab$2"')],
  ['its folders are elsewhere', (diff: string) => diff.replaceAll(/ ([ab])\/(\S+)/gu, ' $1/tree/$1/$2')],
  ['its names have another case', (diff: string) => diff.replaceAll('collab.config', 'Collab.Config')],
  ['it is UTF-16', (diff: string) => Buffer.from(`\ufeff${diff}`, 'utf16le')],
])('an applied diff does not excuse itself if %s', async (_what, disguise) => {
  const { diff, read } = repositoryWith({ after: both });
  const { excuses } = await read({ kind: 'stdin', text: disguise(diff) });
  expect([excuses.exclude, excuses.fail_on === 'never', excuses.titles]).toEqual([
    expect.not.arrayContaining(['**']),
    false,
    expect.not.arrayContaining(['Mine']),
  ]);
});

test('a diff that claims an old side that excuses more is not believed', async () => {
  const { diff, read, git } = repositoryWith({ before: both, after: base });
  git('checkout', '--quiet', 'topic');
  const forged = diff.replaceAll(/^index .*\n/gmu, '');
  expect((await read({ kind: 'stdin', text: forged })).excuses).toEqual(atBase);
});

describe('nothing excuses if the configuration', () => {
  const unknown = { exclude: [], include: [], fail_on: 'critical', titles: null };
  const note =
    /^before the change, .+: nothing is excluded or suppressed, and fail_on and rules are not lowered$/;

  test.each<[string, string, string]>([
    ['has another line in the diff than in the checkout', '+exclude: [docs, "**"]', '+exclude: [docs, "*"]'],
    ['cannot be read before the diff', '-exclude: [docs]', '-exclude: [docs'],
  ])('%s', async (_what, line, edited) => {
    const { diff, read } = repositoryWith({ after: both });
    const { excuses, notes } = await read({ kind: 'stdin', text: diff.replace(line, edited) });
    expect([excuses, notes]).toEqual([unknown, expect.arrayContaining([expect.stringMatching(note)])]);
  });

  test('is binary in the diff', async () => {
    const { diff, read } = repositoryWith({ after: { ...both, '.gitattributes': '*.yaml -diff\n' } });
    const { excuses, notes } = await read({ kind: 'stdin', text: diff });
    expect([excuses, notes]).toEqual([unknown, expect.arrayContaining([expect.stringMatching(note)])]);
  });

  test('becomes a link, in a diff or in a range', async () => {
    const { read, root, git, commit } = repositoryWith({ after: { 'loose.yaml': loose } });
    rmSync(join(root, 'collab.config.yaml'));
    symlinkSync('loose.yaml', join(root, 'collab.config.yaml'));
    commit('link');
    const { excuses, notes } = await read({ kind: 'stdin', text: git('diff', 'main', 'topic') });
    expect([excuses, notes]).toEqual([unknown, expect.arrayContaining([expect.stringMatching(note)])]);
    expect((await read({ kind: 'base', ref: 'main' })).excuses).toEqual(atBase);
    expect((await read({ kind: 'range', range: 'topic..main' })).excuses).toEqual(unknown);
  });
});

test('a stricter threshold of the checkout holds if the old side is not known', async () => {
  const { diff, read, git } = repositoryWith({ after: both });
  git('checkout', '--quiet', 'main');
  const text = diff.replace(/^index .*\n/gmu, '').replace('-fail_on: minor', '-fail_on: important');
  expect((await read({ kind: 'stdin', text })).excuses).toEqual(nothing);
});

test('a suppression file that is broken before the diff suppresses nothing', async () => {
  const { diff, read } = repositoryWith({ before: { ...base, 'known.yaml': 'wrong: 1\n' }, after: base });
  const { excuses, notes } = await read({ kind: 'stdin', text: diff });
  expect(excuses).toEqual({ ...atBase, titles: null });
  expect(notes).toContain('known.yaml:1:1: unknown key wrong: nothing is suppressed');
});
