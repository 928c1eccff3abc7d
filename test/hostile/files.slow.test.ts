/** Files in the place of others, given to the installed program: by the repository under review, or by the machine. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { example, test, type Place } from '../packed/place.ts';

const review = ['review', example('checkout.diff'), '--advisor', 'static_review'];

/** A folder outside the repository, and its content after an attack. */
function outsideOf(place: Place) {
  const folder = join(place.folder, '../outside');
  mkdirSync(folder);
  writeFileSync(join(folder, 'kept'), 'kept');
  return { folder, names: () => readdirSync(folder), kept: () => readFileSync(join(folder, 'kept'), 'utf8') };
}

test.skipIf(process.platform === 'win32')(
  'pipes in a provider’s folder are reported as faults, and not waited for',
  async ({ place, expect }) => {
    const folder = join(place.folder, 'ai_client/evil');
    const pipe = (name: string): void => {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      execFileSync('mkfifo', [join(folder, name)]);
    };
    pipe('package.json');
    place.write('ai_client/evil/evil_client.js', 'export class EvilClient {}\n');
    const list = async () => {
      const { code, stdout, stderr } = await place.collab(['provider', 'list']);
      return { code, said: `${stdout}${stderr}` };
    };
    expect(await list()).toEqual({ code: 0, said: expect.stringContaining('package_invalid') });
    rmSync(join(folder, 'package.json'));
    place.write('ai_client/evil/package.json', '{"dependencies":{"left":"1.0.0"}}');
    pipe('node_modules/left/package.json');
    expect(await list()).toEqual({ code: 0, said: expect.stringContaining('dependency_missing') });
    pipe('other.js');
    expect(await list()).toEqual({ code: 2, said: expect.stringContaining('other.js is a pipe') });
  },
);

describe.skipIf(process.platform === 'win32')('the repository contains links', () => {
  test.for(['made', 'kept'])('as .collab/.gitignore, to %s', async (target, { place, expect }) => {
    const outside = outsideOf(place);
    mkdirSync(join(place.folder, '.collab'));
    symlinkSync(join(outside.folder, target), join(place.folder, '.collab/.gitignore'));
    const { code, stderr } = await place.collab(review);
    expect([code, stderr]).toEqual([2, expect.stringContaining('.collab/.gitignore is a link')]);
    expect([outside.names(), outside.kept()]).toEqual([['kept'], 'kept']);
  });

  test.for(['.collab', '.collab/runs'])('as %s', async (path, { place, expect }) => {
    const outside = outsideOf(place);
    if (path !== '.collab') mkdirSync(join(place.folder, '.collab'));
    symlinkSync(outside.folder, join(place.folder, path));
    const { code, stderr } = await place.collab(review);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} is a link`)]);
    expect(outside.names()).toEqual(['kept']);
  });

  test('as the answer cache: it is not used, and the review continues', async ({ place, expect }) => {
    const outside = outsideOf(place);
    mkdirSync(join(place.folder, '.collab'));
    symlinkSync(outside.folder, join(place.folder, '.collab/cache'));
    expect(await place.collab(review)).toMatchObject({ code: 1 });
    expect(outside.names()).toEqual(['kept']);
  });

  test('as the folder of a report, and as the report', async ({ place, expect }) => {
    const outside = outsideOf(place);
    place.git('init', '--quiet');
    symlinkSync(outside.folder, join(place.folder, 'out'));
    symlinkSync(join(outside.folder, 'kept'), join(place.folder, 'report.json'));
    for (const file of ['out/kept', 'out/deep/made', 'report.json']) {
      const { code, stderr } = await place.collab([...review, '--report', `json=${file}`]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/ is a link/)]);
    }
    expect([outside.names(), outside.kept()]).toEqual([['kept'], 'kept']);
  });

  test('as the folder of a run: it is not read, resumed or removed through', async ({ place, expect }) => {
    await place.collab(review);
    const [run = ''] = place.runs();
    const outside = join(place.folder, '../elsewhere');
    execFileSync('mv', [run, outside]);
    symlinkSync(outside, run);
    const before = readdirSync(outside);
    for (const args of [['show'], ['resume'], ['check']]) {
      expect((await place.collab(args)).code).not.toBe(0);
    }
    expect(readdirSync(outside)).toEqual(before);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe is an error, not a wait', () => {
  test.for([
    ['the diff', (pipe: string) => ['review', pipe]],
    ['the baseline', (pipe: string) => [...review, '--baseline', pipe]],
    ['the configuration', (pipe: string) => [...review, '--config', pipe]],
    ['the brief', (pipe: string) => ['consult', 'design', '--advisor', 'static_review', '--file', pipe]],
    ['a report', (pipe: string) => [...review, '--report', `json=${pipe}`]],
  ] as const)('as %s', async ([, argsFor], { place, expect }) => {
    const pipe = join(place.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await place.collab(argsFor(pipe));
    expect([2, 4]).toContain(code);
    expect(stderr).not.toContain('bug in collab');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test('as the journal of a run', async ({ place, expect }) => {
    await place.collab(review);
    const [run = ''] = place.runs();
    execFileSync('rm', [join(run, 'journal.jsonl')]);
    execFileSync('mkfifo', [join(run, 'journal.jsonl')]);
    expect((await place.collab(['runs'])).code).toBe(0);
    for (const args of [['check'], ['resume'], ['show', '--as-prompt']]) {
      expect((await place.collab(args)).stderr).not.toContain('bug in collab');
    }
  });
});

describe.skipIf(!existsSync('/dev/full'))('a device', () => {
  test('that is full stays a device, and the failure names it', async ({ place, expect }) => {
    const { code, stderr } = await place.collab([...review, '--report', 'json=/dev/full']);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('/dev/full cannot be written: the disk is full'),
    ]);
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  test('that is our output gets the report once, and stays', async ({ place, expect }) => {
    const { code, stdout } = await place.collab([...review, '--report', 'json=/dev/stdout']);
    expect(code).toBe(1);
    expect(stdout.split('"schema"')).toHaveLength(2);
    expect(lstatSync('/dev/stdout').isSymbolicLink()).toBe(true);
  });
});

test.runIf(process.platform === 'linux')(
  'a state folder that cannot be created is skipped, and without any the review says so',
  async ({ place, expect }) => {
    expect(await place.collab(review, { env: { XDG_STATE_HOME: '/proc' } })).toMatchObject({ code: 1 });
  },
);

test.runIf(process.platform === 'linux')(
  'a file size limit ends the run with a clear message, and its journal stays complete',
  async ({ place, expect }) => {
    const ended = [4, 8, 16, 24, 32, 48].map((kibibytes) => {
      const limited = `ulimit -f ${kibibytes}; exec "$0" "$@"`;
      return runIn(place, ['-c', limited, process.execPath, place.command, ...review]);
    });
    for (const { status, stderr } of ended) {
      expect(stderr).not.toContain('bug in collab');
      if (status !== 1)
        expect(stderr).toContain(' cannot be written: the file would be larger than the system');
    }
    expect(ended[0]?.status).toBe(4);
    for (const run of place.runs()) {
      expect(readdirSync(run).filter((name) => name.startsWith('.'))).toEqual([]);
      const journal = join(run, 'journal.jsonl');
      if (existsSync(journal)) expect(readFileSync(journal, 'utf8')).toMatch(/\n$|^$/);
    }
  },
);

function runIn(place: Place, args: readonly string[]) {
  const options = { cwd: place.folder, env: { ...place.environment }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('/bin/bash', [...args], options);
  return { status, stderr };
}
