/** A change that would rather not fail: it lowers the threshold or suppresses what is found in it, given to the installed program. */
import { execa } from 'execa';
import { test, type Place } from '../packed/place.ts';

const patient = { timeout: 120_000 };

/** A call that the rules report as Critical wherever they see it. */
const bad = 'export const run = (input) => eval(input);\n';

/** Hides the bad call. */
const suppressing = `suppressions:
  - { path: app.js, quote: ${JSON.stringify(bad.trim())}, severity: critical, reason: mine }
`;
const suppressingNothing = 'suppressions: []\n';

type Texts = Readonly<Record<string, string>>;

function commit(place: Place, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) place.write(path, text);
  place.git('add', '-A');
  place.git('commit', '-qm', 'state');
}

/** Two branches; the one with the change is checked out. Returns the diff between them. */
function begin(
  place: Place,
  { before = {}, after }: { readonly before?: Texts; readonly after: Texts },
): string {
  place.git('init', '-q');
  commit(place, { '.gitignore': '.collab/\n', 'app.js': 'export const n = 1;\n', ...before });
  place.git('branch', '-qM', 'main');
  place.git('checkout', '-qb', 'topic');
  commit(place, { 'app.js': `export const n = 1;\n${bad}`, ...after });
  const diff = place.git('diff', 'main', 'topic');
  place.write('../the.diff', diff);
  return diff;
}

const changes: Readonly<Record<string, { readonly before?: Texts; readonly after: Texts }>> = {
  'brings a threshold': { after: { 'collab.config.yaml': 'fail_on: never\n' } },
  'lowers the threshold': {
    before: { 'collab.config.yaml': 'fail_on: critical\n' },
    after: { 'collab.config.yaml': 'fail_on: never\n' },
  },
  'suppresses its finding': {
    before: { 'collab.config.yaml': 'suppressions: known.yaml\n', 'known.yaml': suppressingNothing },
    after: { 'known.yaml': suppressing },
  },
  'names another suppression file': {
    before: { 'collab.config.yaml': 'suppressions: known.yaml\n', 'known.yaml': suppressingNothing },
    after: { 'collab.config.yaml': 'suppressions: mine.yaml\n', 'mine.yaml': suppressing },
  },
  'brings a suppression file': {
    after: { 'collab.config.yaml': 'suppressions: mine.yaml\n', 'mine.yaml': suppressing },
  },
};

const ways = {
  'a file, applied': ['topic', '../the.diff'],
  'standard input, applied': ['topic', '-'],
  'a file, not applied': ['main', '../the.diff'],
  'a range': ['topic', 'main...topic'],
} as const;

test.for(
  Object.entries(ways).flatMap(([way, [branch, words]]) =>
    Object.entries(changes).map(([what, change]) => ({ way, branch, words, what, change })),
  ),
)(
  'a change that $what fails all the same, given as $way',
  patient,
  async ({ branch, words, change }, { place, expect }) => {
    const input = begin(place, change);
    place.git('checkout', '-q', branch);
    const { code, stdout } = await place.collab(['review', words, '--advisor', 'static_review'], { input });
    expect([code, stdout.includes('app.js:2')]).toEqual([1, true]);
  },
);

test('a change that removes a strict threshold does not pass', patient, async ({ place, expect }) => {
  const minor = 'export const n = 1;\nconsole.log(n);\n';
  place.git('init', '-q');
  commit(place, { '.gitignore': '.collab/\n', 'collab.config.yaml': 'fail_on: minor\nrules: all\n' });
  commit(place, { 'app.js': minor, 'collab.config.yaml': 'rules: all\n' });
  const input = place.git('diff', 'HEAD~1');
  for (const words of ['-', 'HEAD~1...HEAD']) {
    const { code, stderr } = await place.collab(['review', words, '--advisor', 'static_review'], { input });
    expect([words, code]).toEqual([words, 1]);
    expect(stderr).toContain('fail_on of collab.config.yaml counts as it is at the base of the change');
  }
});

test(
  'a change that narrows the rules is looked at with the rules of its base',
  patient,
  async ({ place, expect }) => {
    const minor = 'export const n = 1;\nexport const same = (m) => n == m;\n';
    place.git('init', '-q');
    commit(place, { '.gitignore': '.collab/\n', 'collab.config.yaml': 'fail_on: minor\nrules: all\n' });
    commit(place, { 'app.js': minor, 'collab.config.yaml': 'fail_on: minor\n' });
    const input = place.git('diff', 'HEAD~1');
    for (const words of ['-', 'HEAD~1...HEAD']) {
      const { code, stderr } = await place.collab(['review', words, '--advisor', 'static_review'], { input });
      expect([words, code]).toEqual([words, 1]);
      expect(stderr).toContain('rules of collab.config.yaml count as they are at the base of the change');
    }
    const narrowed = await place.collab([
      'review',
      'HEAD~1...HEAD',
      '--advisor',
      'static_review',
      '--rules',
      'default',
    ]);
    expect(narrowed.code).toBe(0);
  },
);

test(
  'a diff whose old side claims more exclusions than the checkout has is reviewed',
  patient,
  async ({ place, expect }) => {
    begin(place, { after: { 'collab.config.yaml': 'focus: tests\n' } });
    place.git('checkout', '-q', 'main');
    place.write('collab.config.yaml', 'exclude: ["**"]\nfail_on: never\n');
    place.git('add', '-A');
    const forged = place.git('diff', '-R', 'topic').replaceAll(/^index .*\n/gmu, '');
    place.write('collab.config.yaml', 'focus: tests\n');
    const { code, stdout } = await place.collab(['review', '-', '--advisor', 'static_review'], {
      input: forged,
    });
    expect([code, stdout.includes('app.js:2')]).toEqual([1, true]);
  },
);

test(
  "the owner's suppressions and threshold count for a diff that brings the same",
  patient,
  async ({ place, expect }) => {
    const input = begin(place, {
      after: { 'collab.config.yaml': 'fail_on: never\nsuppressions: mine.yaml\n', 'mine.yaml': suppressing },
    });
    const codeWith = async (...flags: readonly string[]) =>
      (await place.collab(['review', '-', '--advisor', 'static_review', ...flags], { input })).code;
    expect([
      await codeWith(),
      await codeWith('--suppressions', 'mine.yaml'),
      await codeWith('--fail-on', 'never'),
      await codeWith('--config', 'collab.config.yaml'),
    ]).toEqual([1, 0, 0, 0]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a pipe that holds the diff is read once',
  patient,
  async ({ place, expect }) => {
    begin(place, { after: { 'collab.config.yaml': 'fail_on: never\n' } });
    const line = '"$0" "$1" review --advisor static_review <(git diff main topic)';
    const { exitCode, stdout } = await execa('/bin/bash', ['-c', line, process.execPath, place.command], {
      cwd: place.folder,
      env: place.environment,
      extendEnv: false,
      reject: false,
    });
    expect([exitCode, stdout.includes('app.js:2')]).toEqual([1, true]);
  },
);
