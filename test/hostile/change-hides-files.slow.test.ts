/** A change that keeps its new files from the review of the working tree with ignore rules of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { test, type Place } from '../packed/place.ts';

const patient = { timeout: 120_000 };
const bad = 'export const run = (input) => eval(input);\n';

const resultSchema = z.looseObject({
  outcome: z.string(),
  reasons: z.array(z.string()),
  coverage: z.looseObject({ files: z.array(z.looseObject({ path: z.string(), status: z.string() })) }),
});

function begin(place: Place): void {
  place.git('init', '-q');
  place.write('src/app.js', 'export const app = 1;\n');
  place.write('.gitignore', '.collab/\nnode_modules/\n*.log\nbuild/*\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'base');
  place.write('node_modules/one/index.js', bad);
  place.write('build/out.js', bad);
  place.write('debug.log', 'one\n');
}

async function review(place: Place, ...flags: readonly string[]) {
  const report = ['--report', `json=${join(place.folder, '../result.json')}`];
  const said = await place.collab(['review', '--advisor', 'static_review', ...report, ...flags]);
  return { ...said, result: resultSchema.parse(JSON.parse(place.read('../result.json'))) };
}

/** The ignore rules of a change, and the path under which the hidden file is reported. */
const hiding: Readonly<Record<string, readonly [hide: (place: Place) => void, reported: string]>> = {
  'a changed .gitignore': [
    (place) => place.write('.gitignore', '.collab/\nnode_modules/\n*.log\nbuild/*\nevil.js\n'),
    'src/evil.js',
  ],
  'a .gitignore that hides itself as well': [(place) => place.write('src/.gitignore', '*\n'), 'src/evil.js'],
  'a .gitignore that hides its folder': [(place) => place.write('.gitignore', 'src/new/\n'), 'src/new/'],
  'a .gitignore in a new folder': [(place) => place.write('src/new/.gitignore', '*\n'), 'src/new/evil.js'],
  'a staged .gitignore': [
    (place) => {
      place.write('src/.gitignore', 'evil.js\n');
      place.git('add', 'src/.gitignore');
    },
    'src/evil.js',
  ],
  'a .gitignore whose change git does not see': [
    (place) => {
      place.git('update-index', '--assume-unchanged', '.gitignore');
      place.write('.gitignore', 'src/evil.js\n');
    },
    'src/evil.js',
  ],
  'a lost exception': [
    (place) => {
      place.write('.gitignore', '*.js\n!evil.js\n');
      place.git('add', '.gitignore');
      place.git('commit', '-qm', 'exception');
      place.write('.gitignore', '*.js\n');
    },
    'src/evil.js',
  ],
  'an excludesFile in the folder': [
    (place) => {
      place.write('hide', 'evil.js\nhide\n');
      place.git('config', 'core.excludesFile', join(place.folder, 'hide'));
    },
    'src/evil.js',
  ],
};

test.for(Object.entries(hiding))(
  'what %s hides is reported as excluded by the change, with and without other lines to review',
  patient,
  async ([, [hide, reported]], { place, expect }) => {
    begin(place);
    hide(place);
    place.write('src/evil.js', bad);
    place.write('src/new/evil.js', bad);
    const first = await review(place);
    const failed = first.result.coverage.files.flatMap(({ path, status }) =>
      status === 'failed' ? [path] : [],
    );
    expect([first.code, failed]).toEqual([3, expect.arrayContaining([reported])]);
    expect(failed.filter((path) => /node_modules|build|debug/.test(path))).toEqual([]);
    expect(first.stdout).toContain(reported);
    expect(first.stdout).not.toMatch(/^clean|nothing had to be/m);
    expect(first.result.reasons.join()).toContain('file_hidden');
    place.write('src/app.js', 'export const app = 2;\n');
    const second = await review(place);
    expect([second.code, second.result.outcome]).toEqual([3, 'incomplete']);
  },
);

test(
  'what the owner excludes, what the base ignores and what has a known name does not make a review incomplete',
  patient,
  async ({ place, expect }) => {
    begin(place);
    place.write('.gitignore', '.collab/\nnode_modules/\n*.log\nbuild/*\nvendor/\n.env\nnotes/\n');
    place.write('vendor/lib.js', bad);
    place.write('.env', 'NAME=value\n');
    place.write('.pytest_cache/.gitignore', '*\n');
    place.write('.pytest_cache/v', 'one\n');
    expect((await review(place)).result).toMatchObject({ outcome: 'clean' });
    place.write('notes/a.md', 'one\n');
    expect((await review(place)).result).toMatchObject({ outcome: 'incomplete' });
    expect((await review(place, '--exclude', 'notes')).result).toMatchObject({ outcome: 'clean' });
  },
);

test(
  'what .git/info/exclude hides is named, without deciding the outcome',
  patient,
  async ({ place, expect }) => {
    begin(place);
    mkdirSync(join(place.folder, '.git/info'), { recursive: true });
    writeFileSync(join(place.folder, '.git/info/exclude'), 'evil.js\n');
    place.write('src/evil.js', bad);
    const { code, stdout, stderr, result } = await review(place);
    expect([code, result.outcome]).toEqual([0, 'nothing_reviewed']);
    expect(`${stdout}${stderr}`).toContain('1 untracked file left out by .git/info/exclude');
  },
);

test(
  '100,000 ignored files hide no other file and are not listed one by one',
  patient,
  async ({ place, expect }) => {
    begin(place);
    const many = join(place.folder, 'node_modules/many');
    mkdirSync(many, { recursive: true });
    for (let file = 0; file < 100_000; file += 1) writeFileSync(join(many, `${file}.js`), '');
    place.write('.gitignore', '.collab/\nnode_modules/\n*.log\nbuild/*\n*.js\n');
    place.write('src/evil.js', bad);
    const first = await review(place);
    const shown = () => first.result.coverage.files.map(({ path }) => path).toSorted();
    expect([first.code, shown()]).toEqual([3, ['.gitignore', 'src/evil.js']]);
    // The list begins with 100,000 files that the base ignores.
    place.write('.gitignore', '*.js\n');
    const second = await review(place);
    expect([second.code, second.result.reasons.join()]).toEqual([3, expect.stringContaining('src/evil.js')]);
    place.git('rm', '-q', '--cached', '.gitignore');
    place.git('commit', '-qm', 'no rules');
    const third = await review(place);
    expect([third.code, third.result.coverage.files.map(({ path }) => path).toSorted()]).toEqual([
      3,
      ['.gitignore', 'build/', 'debug.log', 'node_modules/', 'src/'],
    ]);
  },
);
