/** Pipes in the place of files that git opens whatever their kind: each is an error that names it, or changes nothing. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe } from 'vitest';
import { test, type Place } from '../packed/place.ts';

/** Git itself would wait for ten minutes. */
const patient = { timeout: 120_000 };

const review = ['review', '--advisor', 'static_review'];

function openRepository(place: Place): void {
  place.git('init', '-q');
  place.write('.gitignore', '.collab/\n');
  place.write('a.js', 'export const a = 1;\n');
  place.write('sub/b.js', 'export const b = 1;\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'base');
  place.write('a.js', 'export const a = eval("2");\n');
}

function pipe(place: Place, name: string): void {
  const path = join(place.folder, name);
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

/** The file of a loose object, relative to the folder. */
function objectFile(place: Place, name: string): string {
  const id = place.git('rev-parse', name).trim();
  return `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
}

describe.skipIf(process.platform === 'win32')('a pipe for git', () => {
  const agents = ['--lead', 'rehearsal:script.yaml'];
  const chat = ['chat', ...agents];
  const run = ['run', 'Do it.', ...agents, '--advisor', 'rehearsal:script.yaml', '--yes'];

  test.for<readonly [name: string, args: readonly string[], input?: string]>([
    ['.gitignore', review],
    ['sub/.gitignore', review],
    ['.gitattributes', review],
    ['sub/.gitattributes', review],
    ['.git/refs/heads/x', [...review, '--base', 'x']],
    ['.gitignore', run],
    ['.gitattributes', chat, '/GitDiff'],
    ['.mailmap', chat, '/GitLog'],
  ])(
    'as %s is named instead of waited for: %j %s',
    patient,
    async ([name, args, typed = ''], { place, expect }) => {
      openRepository(place);
      place.write('script.yaml', 'turns:\n  - answer: Done.\n    repeat: forever\n');
      pipe(place, name);
      const { stdout, stderr } = await place.collab(args, { input: `${typed}\n` });
      expect(`${stdout}${stderr}`).toContain(`git waits for ${name}, which is a pipe`);
      if (args !== chat) expect(stderr).toContain('Remove it, or put a regular file in its place.');
    },
  );

  const own = ['.gitconfig', '.config/git/config', 'elsewhere/git/config', 'global', 'system'];
  test.for(['.git/config', '.git/config.worktree', ...own.map((name) => `home/${name}`)])(
    'as %s, a file of the configuration, is named at once',
    patient,
    async (name, { place, expect }) => {
      openRepository(place);
      pipe(place, name);
      const home = join(place.folder, 'home');
      const env = {
        HOME: home,
        ...(name.includes('elsewhere') ? { XDG_CONFIG_HOME: join(home, 'elsewhere') } : {}),
        ...(name.endsWith('global') ? { GIT_CONFIG_GLOBAL: join(home, 'global') } : {}),
        ...(name.endsWith('system') ? { GIT_CONFIG_SYSTEM: join(home, 'system') } : {}),
      };
      const { code, stderr } = await place.collab(review, { env });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`git waits for ${name}, which is a pipe`)]);
    },
  );

  test(
    'as a file that the configuration of the user includes ends git',
    patient,
    async ({ place, expect }) => {
      openRepository(place);
      pipe(place, 'home/included');
      place.write('home/.gitconfig', '[include]\n\tpath = included\n');
      const { code, stderr } = await place.collab(review, { env: { HOME: join(place.folder, 'home') } });
      expect([code, stderr]).toEqual([2, expect.stringContaining('git config did not end within 20 s')]);
      expect(stderr).toContain('A file that git reads may be a pipe');
    },
  );

  test('as an object of the repository is named, too', patient, async ({ place, expect }) => {
    openRepository(place);
    const name = objectFile(place, 'HEAD:a.js');
    pipe(place, name);
    const { code, stderr } = await place.collab([...review, '--commit', 'HEAD']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`git waits for ${name}, which is a pipe`)]);
  });

  test.for<readonly [what: string, put: (place: Place) => void]>([
    ['.git/info/exclude', (place) => pipe(place, '.git/info/exclude')],
    ['any other file', (place) => pipe(place, 'sub/pipe')],
    [
      'the excludes file of its configuration',
      (place) => {
        pipe(place, '.git/ignored');
        const path = join(place.folder, '.git/ignored');
        appendFileSync(join(place.folder, '.git/config'), `[core]\n\texcludesFile = ${path}\n`);
      },
    ],
  ])('as %s changes nothing', patient, async ([, put], { place, expect }) => {
    openRepository(place);
    put(place);
    const { code, stdout } = await place.collab(review);
    expect([code, stdout]).toEqual([1, expect.stringContaining('a.js:1')]);
  });

  test('a socket as .gitignore is no wait either', patient, async ({ place, expect }) => {
    openRepository(place);
    rmSync(join(place.folder, '.gitignore'));
    const socket = createServer();
    await new Promise<void>((resolve) => {
      socket.listen(join(place.folder, '.gitignore'), resolve);
    });
    try {
      expect((await place.collab(review)).code).toBe(1);
    } finally {
      socket.close();
    }
  });
});
