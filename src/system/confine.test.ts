import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import { confine, type Confinement } from './confine.ts';
import { probeConfinement } from './probe-confinement.ts';
import { runCommand } from './run-command.ts';
import { thisPlatform } from './platform.ts';

const here = await probeConfinement(thisPlatform);
const ways: readonly Extract<Confinement, { kind: 'namespaces' }>[] =
  here.kind === 'marked' ? [] : here.form === 'root' ? [here, { ...here, form: 'user' }] : [here];

function run(script: string, how: Confinement, own: { hidden?: readonly string[]; cwd?: string } = {}) {
  return runCommand({
    file: '/bin/sh',
    args: ['-c', script],
    cwd: own.cwd ?? '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    maxOutputBytes: 1024 * 1024,
    confined: { how, hidden: own.hidden ?? [] },
  });
}

/**
 * Container hosts without namespaces exist; `probe-confinement` reports that, and this file then tests only the other
 * method.
 */
describe.each(ways)('with namespaces, as $form', (how) => {
  test('a command sees only its own processes', async () => {
    const { stdout } = await run('echo "$PPID"; ls /proc | grep -c "^[0-9]"', how);
    expect(stdout).toMatch(/^1\n[1-4]\n$/);
  });

  test('hidden folders are empty and hidden files have no content, by any name', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, 'state'));
    writeFileSync(join(root, 'state/key'), 'CANARY');
    writeFileSync(join(root, 'login.json'), 'CANARY');
    const hidden = [join(root, 'state'), join(root, 'login.json'), join(root, 'nothing')];
    const { stdout } = await run(
      'ln -s state link; cat login.json state/key link/key ./state/../state/key 2>&1; ls -A state; ls',
      how,
      { hidden, cwd: root },
    );
    expect(stdout).not.toContain('CANARY');
    expect(stdout).toContain('login.json\nstate\n');
  });

  test.each([
    ['umount', 'umount "$HIDDEN" && cat "$HIDDEN"/key'],
    ['lazy umount', 'umount -l "$HIDDEN"; cat "$HIDDEN"/key'],
    ['a further namespace', 'unshare --user --map-root-user --mount sh -c "umount $HIDDEN; cat $HIDDEN/key"'],
    ['the table of the first process', 'nsenter -t 1 -m cat "$HIDDEN"/key; cat /proc/1/root/$HIDDEN/key'],
    ['the old table', 'umount /proc; cat /proc/$OUTSIDE/environ'],
    [
      'a mount of the old place',
      'mkdir -p m; mount --bind "$HIDDEN"/.. m && cat m/state/key; unshare -Urm sh -c "mount --bind $HIDDEN/.. m; cat m/state/key"',
    ],
  ])('what is hidden cannot be had back by %s', async (_, script) => {
    const root = scratchFolder();
    const state = join(root, 'state');
    mkdirSync(state);
    writeFileSync(join(state, 'key'), 'CANARY');
    const { stdout } = await run(`exec 2>&1; HIDDEN=${state}; OUTSIDE=${process.pid}; ${script}`, how, {
      hidden: [state],
      cwd: root,
    });
    expect(stdout).not.toContain('CANARY');
    expect(stdout).not.toContain('VITEST');
  });

  test('the working folder of a command stays visible', async () => {
    const root = scratchFolder();
    writeFileSync(join(root, 'a.txt'), 'here');
    expect(
      await run('cat a.txt; echo " and there" >>a.txt; cat a.txt', how, { hidden: [root], cwd: root }),
    ).toMatchObject({
      exitCode: 0,
      stdout: 'herehere and there\n',
    });
  });

  test('a command keeps its input, its exit code and its user', async () => {
    const result = await runCommand({
      file: '/bin/sh',
      args: ['-c', 'cat; id -u; id -g; exit 7'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      input: 'in\n',
      maxOutputBytes: 1024,
      confined: { how, hidden: [] },
    });
    expect(result).toMatchObject({
      exitCode: 7,
      stdout: `in\n${process.getuid?.()}\n${process.getgid?.()}\n`,
      stderr: '',
    });
  });
});

test('without namespaces the mark is in the command’s environment and in no argument', () => {
  const how: Confinement = { kind: 'marked', reason: 'a test' };
  const options = { how, cwd: '/', hidden: [], mark: 'the-mark', platform: thisPlatform };
  const launch = confine({ file: '/bin/true', args: [] }, options);
  expect(launch).toMatchObject({ file: '/bin/sh', holdsPipe: true, env: { COLLAB_COMMAND: 'the-mark' } });
  expect(launch.args.join(' ')).not.toContain('the-mark');
  expect(launch.sweeper?.args.join(' ')).not.toContain('COLLAB_COMMAND=the-mark');
});

test('a system other than Linux has no namespaces, with a reason', async () => {
  expect(await probeConfinement({ os: 'darwin', arch: 'arm64' })).toEqual({
    kind: 'marked',
    reason: 'darwin has no process namespaces',
  });
});
