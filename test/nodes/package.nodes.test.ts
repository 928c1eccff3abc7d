/** The installed package on each version of Node, in a path with spaces, for a user who is not root and has an empty HOME. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execa } from 'execa';
import { installPackedCollab } from '../packed/packed-collab.ts';
import { example } from '../packed/place.ts';

/** Starts with the one that runs this test. */
const nodes = [
  process.execPath,
  ...readdirSync(join(import.meta.dirname, 'node_modules'))
    .filter((name) => name.startsWith('node-'))
    .map((name) => join(import.meta.dirname, 'node_modules', name, 'bin/node')),
].map((path) => ({ path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() }));

/** The usual number of an account without rights; used if these tests run as root. */
const stranger = 65_534;
const isRoot = process.getuid?.() === 0;

let root = '';
let modules = '';
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab nodes ')));
  chmodSync(root, 0o755);
  const installed = await installPackedCollab();
  modules = join(root, 'a package', 'node_modules');
  cpSync(join(installed.folder, 'node_modules'), modules, { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A HOME and a working folder of their own. */
function openUser(name: string) {
  const [home, cwd] = [join(root, name, 'the home'), join(root, name, 'the work')];
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  for (const folder of isRoot ? [home, cwd] : []) chownSync(folder, stranger, stranger);
  const env = { HOME: home, TMPDIR: cwd, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };
  return async (node: string, ...args: readonly string[]) => {
    const { exitCode, signal, stdout, stderr } = await execa(
      node,
      [join(modules, 'codex-collab/bin/collab'), ...args],
      { cwd, env, extendEnv: false, reject: false, ...(isRoot && { uid: stranger, gid: stranger }) },
    );
    return { code: exitCode ?? signal, stdout: withoutRun(stdout), stderr: withoutRun(stderr) };
  };
}

/** Without what differs from run to run. */
function withoutRun(text: string): string {
  return text.replaceAll(/\d{8}-\d{6}-\w{4}/g, '(run)').replaceAll(/\d+(?:\.\d+)? m?s\b/g, '(time)');
}

const review = ['review', example('checkout.diff'), '--advisor', 'static_review'];

test.each(nodes)('$version reviews, rehearses, lists and says what is missing', async ({ path, version }) => {
  const collab = openUser(`on ${version}`);
  expect(await collab(path, '--version')).toMatchObject({ code: 0, stderr: '' });
  const first = await collab(path, ...review);
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('8 findings critical') });
  // The second one runs from compiled code.
  expect(await collab(path, ...review)).toEqual(first);
  expect(await collab(path, 'demo', '--no-pauses')).toMatchObject({ code: 0 });
  const { stdout } = await collab(path, 'runs', '--json');
  expect(JSON.parse(stdout)).toHaveLength(3);
  expect((await collab(path, 'doctor')).stdout).toContain(version.slice(1));
});

test('versions of Node that share a HOME say the same, whichever compiled the code first', async () => {
  const collab = openUser('shared');
  const said: unknown[] = [];
  for (const { path } of [...nodes, ...nodes, ...nodes.toReversed()])
    said.push(await collab(path, ...review));
  for (const one of said) expect(one).toEqual(said[0]);
});
