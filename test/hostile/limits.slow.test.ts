/** Limits of a real system, met by the installed program: a full or read-only disk, few open files, no permission. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { example, test, type Place } from '../packed/place.ts';

const review = ['review', example('checkout.diff'), '--advisor', 'static_review'];

/** Mounts in a namespace of the test's own end with it, and are invisible outside. */
const mayMount = succeeds('unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt');
const skippedMounts = mayMount ? '' : ' (skipped: this system permits no mount in a namespace)';

describe.skipIf(!mayMount)(`a full disk${skippedMounts}`, () => {
  test.for([8, 16, 24, 32, 48, 64, 96])(
    'of %i KiB ends the run with a sentence, and with room it goes on from there',
    async (kibibytes, { place, expect }) => {
      mkdirSync(join(place.folder, '.collab'));
      const script = [
        `mount -t tmpfs -o size=${kibibytes}k none .collab`,
        `"$@" ${quoted(review)} 2>full; echo $? >code`,
        'mount -o remount,size=16m none .collab',
        'cp -r .collab/runs before',
        '"$@" resume >resumed 2>&1; echo $? >code2',
        'cp -r .collab/runs after',
      ].join('\n');
      const { status, stderr } = inNamespace(place, script);
      expect([status, stderr]).toEqual([0, '']);
      expect(place.read('code')).toBe('4\n');
      expect(place.read('full')).toMatch(/ \/\S+\/\.collab\/\S+ cannot be written: the disk is full\n/);
      expect(place.read('full') + place.read('resumed')).not.toContain('bug in collab');
      // Without room for its input there is no run; with it, the journal's lines stay and the run is finished.
      const [kept] = readdirSync(join(place.folder, 'before')).filter((name) => !name.startsWith('.'));
      expect(place.read('code2')).toBe(kept === undefined ? '2\n' : '1\n');
      if (kept !== undefined) {
        const [before, after] = ['before', 'after'].map((folder) =>
          journalIn(join(place.folder, folder, kept)),
        );
        expect(after?.startsWith(before ?? '')).toBe(true);
      }
    },
  );
});

describe.skipIf(!mayMount)(`a read-only file system${skippedMounts}`, () => {
  test.for([
    ['for the runs', '.', '', []],
    ['for a report', 'out', 'out/report.json', ['--report', 'json=out/report.json']],
  ] as const)('%s is named', async ([, mounted, named, more], { place, expect }) => {
    mkdirSync(join(place.folder, mounted), { recursive: true });
    const mount = `mount --bind ${mounted} ${mounted}; mount -o remount,bind,ro ${mounted}; cd "$PWD"`;
    const { status, stderr } = inNamespace(place, `${mount}; "$@" ${quoted([...review, ...more])}`);
    expect(status).toBe(4);
    expect(stderr).toContain(join(place.folder, named));
    expect(stderr).toContain('cannot be written: the file system is read-only');
    expect(stderr).not.toContain('bug in collab');
  });
});

describe.skipIf(process.platform !== 'linux')('few open files', () => {
  test('end the program with a sentence, whether it is loading or working', async ({ place, expect }) => {
    const ended = [20, 24, 28, 32, 36, 40, 44, 48, 56].map((most) => {
      const script = `ulimit -n ${most}; exec "$@" ${quoted(review)}`;
      return { most, ...run(place, 'bash', ['-c', script, 'bash', process.execPath, place.command]) };
    });
    for (const { most, status, stderr } of ended.filter((each) => canStartNode(each.most))) {
      expect(stderr).not.toContain('bug in collab');
      expect(stderr, `at ${most}`).not.toMatch(/^ {4}at /m);
      if (!stderr.includes('settled'))
        expect([most, status, stderr]).toEqual([most, 4, expect.stringMatching(/too many open files/)]);
    }
    expect(ended.at(-1)?.status).toBe(1);
    expect(ended.some(({ status }) => status === 4)).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux')('without permission', () => {
  test.for([
    ['to the runs', '.collab', '.collab', []],
    ['to the folder of a report', 'out', 'out/report.json', ['--report', 'json=out/report.json']],
    ['to a folder above a report', 'out', 'out', ['--report', 'json=out/deep/report.json']],
  ] as const)('%s it is said', async ([, folder, named, more], { place, expect }) => {
    mkdirSync(join(place.folder, folder));
    writeFileSync(join(place.folder, folder, '.gitignore'), '*\n');
    chmodSync(join(place.folder, folder), 0o500);
    // Root without its capabilities is a user like others.
    const plain = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : ['env'];
    const [file = '', ...first] = plain;
    const { status, stderr } = run(place, file, [
      ...first,
      process.execPath,
      place.command,
      ...review,
      ...more,
    ]);
    chmodSync(join(place.folder, folder), 0o700);
    expect(status).toBe(4);
    expect(stderr).toContain(`${join(place.folder, named)} cannot be written: permission denied`);
    expect(stderr).not.toContain('bug in collab');
  });
});

/** Runs a script whose arguments are the installed program. */
function inNamespace(place: Place, script: string) {
  return run(place, 'unshare', ['-rm', 'bash', '-c', script, 'bash', process.execPath, place.command]);
}

function run(place: Place, file: string, args: readonly string[]) {
  const found = execFileSync('sh', ['-c', `command -v ${file}`], { encoding: 'utf8' }).trim();
  const env = { ...place.environment, PATH: `${place.environment['PATH']}:/usr/bin:/bin:/usr/sbin:/sbin` };
  const { status, stderr } = spawnSync(found, [...args], { cwd: place.folder, env, encoding: 'utf8' });
  return { status, stderr };
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

function journalIn(folder: string): string {
  const file = join(folder, 'journal.jsonl');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // Half a line was not acknowledged.
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function canStartNode(most: number): boolean {
  return succeeds('bash', '-c', `ulimit -n ${most}; exec "$0" -p 1`, process.execPath);
}

function succeeds(file: string, ...args: readonly string[]): boolean {
  return spawnSync(file, [...args], { stdio: 'ignore' }).status === 0;
}
