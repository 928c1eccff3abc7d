/** The installed program at the limits of a real system: a full or read-only disk, few open files, no permission. */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { formOf } from '../../src/server/served.test-helper.ts';
import { example, test, type Place } from '../packed/place.ts';
import { serve, streamOf } from '../packed/serve/served.ts';
import { until } from '../packed/started-command.ts';

const review = ['review', example('checkout.diff'), '--advisor', 'static_review'];

/** Mounts in a namespace of the test's own end with it, and are invisible outside. */
const mayMount = succeeds('unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt');
const skippedMounts = mayMount ? '' : ' (skipped: this system permits no mount in a namespace)';

describe.skipIf(!mayMount)(`a full disk${skippedMounts}`, () => {
  test.for([8, 16, 24, 32, 48, 64, 96])(
    'of %i KiB ends the run with a clear message, and the run continues once there is room',
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
  test('end the program with a clear message, during its start and during its work', async ({
    place,
    expect,
  }) => {
    const ended = [20, 24, 28, 32, 36, 40, 44, 48, 56].map((most) => {
      return { most, ...under(place, `ulimit -n ${most}`, review) };
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

describe.skipIf(process.platform !== 'linux')('a limit of file size', () => {
  test.for([1, 4, 16, 40])(
    'of %i KiB names the file that git could not write, and with room the review succeeds',
    (kibibytes, { place, expect }) => {
      place.git('init', '-q');
      place.git('commit', '-qm', 'base', '--allow-empty');
      // Random text, because git compresses it.
      place.write(
        'noise.txt',
        `${randomBytes(60 * 1024)
          .toString('base64url')
          .replaceAll(/.{99}/g, '$&\n')}\n`,
      );
      const args = ['review', '--advisor', 'static_review'];
      const limited = under(place, `ulimit -f ${kibibytes}`, args);
      expect(limited.stderr).toMatch(
        /^collab: \/\S+ cannot be written: the file would be larger than the system allows\n {2}Raise the limit \(ulimit -f\)/,
      );
      expect(limited.status).toBe(4);
      expect(place.runs()).toEqual([]);
      expect(under(place, ':', args).status).not.toBe(4);
    },
  );

  test('a chat says which answers it could not keep, keeps the earlier ones, and continues once there is room', async ({
    place,
    expect,
  }) => {
    place.write('lead.yaml', talkative);
    const chat = place.start(['chat', '--lead', 'rehearsal:lead.yaml', '--json'], { input: null });
    const answers = () => chat.stdout().match(/"type":"chat.done"/g)?.length ?? 0;
    const say = async (text: string) => {
      const before = answers();
      await chat.feed(`${text}\n`);
      await until(`the end of the answer to ${text}`, () => answers() > before);
      return /"type":"chat.done","outcome":"(\w+)"/.exec(
        chat.stdout().trimEnd().split('\n').at(-1) ?? '',
      )?.[1];
    };
    expect(await say('word-first')).toBe('answered');
    limitFilesOf(chat.pid(), '6000');
    const outcomes = [];
    for (const index of [1, 2, 3, 4, 5, 6]) outcomes.push([`word-${index}`, await say(`word-${index}`)]);
    expect(outcomes.at(-1)).toEqual(['word-6', 'failed']);
    expect(chat.stdout()).toMatch(
      /"type":"chat.refused","message":"\/\S+ cannot be written: the file would be larger/,
    );
    limitFilesOf(chat.pid(), 'unlimited');
    expect(await say('word-last')).toBe('answered');
    chat.kill('SIGKILL');
    await chat.ended;
    const shown = await place.collab(['chat', '--resume', '--lead', 'rehearsal:lead.yaml', '--json'], {
      input: '/history\nword-again\n',
    });
    expect([shown.code, shown.stderr.includes('bug in collab')]).toEqual([0, false]);
    const kept = [
      'word-first',
      'word-last',
      ...outcomes.flatMap(([word, how]) => (how === 'answered' ? [word] : [])),
    ];
    for (const word of kept) expect(shown.stdout).toContain(word);
  });

  test('a server says which messages it could not keep, keeps the answered ones, and continues once there is room', async ({
    place,
    expect,
  }) => {
    place.write('lead.yaml', talkative);
    const served = await serve(place, ['--lead', 'rehearsal:lead.yaml']);
    const say = async (text: string) => {
      const answer = await fetch(streamOf(served, 'c'), { method: 'POST', body: formOf(text) });
      return { text, status: answer.status, said: await answer.text() };
    };
    const answers = [await say('word-first')];
    limitFilesOf(served.pid(), '6000');
    for (const index of [1, 2, 3, 4, 5, 6]) answers.push(await say(`word-${index}`));
    expect(answers.map(isAnswered)).toEqual([true, ...answers.slice(1, -1).map(isAnswered), false]);
    expect(answers.at(-1)?.said).toContain('The server failed on this request; its log says why.');
    expect(served.stderr()).toMatch(
      /\/\S+ cannot be written: the file would be larger than the system allows\n/,
    );
    expect(served.stderr()).not.toContain('bug in collab');
    expect((await fetch(`${served.url}/api/health`)).status).toBe(200);
    limitFilesOf(served.pid(), 'unlimited');
    answers.push(await say('word-last'));
    expect(isAnswered(answers.at(-1) ?? { said: '' })).toBe(true);
    await served.kill();
    await served.start();
    const thread = await (await fetch(streamOf(served, 'c').replace(/\/stream$/, ''))).text();
    for (const { text } of answers.filter(isAnswered)) expect(thread).toContain(text);
  });
});

function isAnswered({ said }: { readonly said: string }): boolean {
  return said.includes('"status":"success"');
}

/** A lead whose text exceeds a small limit after a few turns. */
const talkative = stringify({
  turns: [{ when: { work: 'converse' }, answer: 'I say much. '.repeat(60), repeat: 'forever' }],
});

/** Changes the soft limit of a running process, in bytes. */
function limitFilesOf(pid: number, bytes: string): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);
}

function under(place: Place, limit: string, args: readonly string[]) {
  const script = `${limit}; exec "$@" ${quoted(args)}`;
  return run(place, 'bash', ['-c', script, 'bash', process.execPath, place.command]);
}

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
