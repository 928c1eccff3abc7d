import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trySandbox, type SandboxTrial } from './remembered-sandbox.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'collab-sandbox-'));
  program(0);
  kernel('sys/kernel/random/boot_id', 'first');
  kernel('self/status', 'Name: a\nSeccomp:\t0\nVmPeak: 1\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Notes each start. */
function program(exitCode: number, more = ''): void {
  const script = `#!/bin/sh\necho "$@" >>"${root}/starts"\necho no namespaces >&2\nexit ${exitCode}\n${more}`;
  writeFileSync(join(root, 'codex'), script, { mode: 0o755 });
}

function kernel(path: string, content: string): void {
  mkdirSync(dirname(join(root, 'proc', path)), { recursive: true });
  writeFileSync(join(root, 'proc', path), content);
}

function tried(changes: Partial<SandboxTrial> = {}) {
  return trySandbox({
    program: join(root, 'codex'),
    cwd: root,
    env: { PATH: '/usr/bin:/bin' },
    signal: new AbortController().signal,
    stateFolder: join(root, 'state/run-1'),
    platform: { os: 'linux', arch: 'x64' },
    kernelFolder: join(root, 'proc'),
    ...changes,
  });
}

const starts = () => readFileSync(join(root, 'starts'), 'utf8').split('\n').length - 1;

test('a sandbox that works is not tried again by the next run', async () => {
  expect(await tried()).toEqual({ works: true });
  const bin = join(root, 'state/run-2/bin');
  const next = { stateFolder: join(root, 'state/run-2'), env: { PATH: `${bin}:/usr/bin:/bin` } };
  expect([await tried(next), starts()]).toEqual([{ works: true }, 1]);
});

test('a sandbox that does not start is tried each time', async () => {
  program(1);
  const failed = { works: false, reason: 'no namespaces' };
  expect([await tried(), await tried(), starts()]).toEqual([failed, failed, 2]);
  program(0);
  expect([await tried(), starts()]).toEqual([{ works: true }, 3]);
});

test.each([
  ['the kernel was started again', () => kernel('sys/kernel/random/boot_id', 'second')],
  ['namespaces are forbidden', () => kernel('sys/user/max_user_namespaces', '0')],
  ['a filter forbids calls', () => kernel('self/status', 'Name: a\nSeccomp:\t2\nVmPeak: 1\n')],
  ['Codex is another one', () => program(0, '# new')],
  ['the namespace is another one', () => kernel('self/ns/user', '')],
])('it is tried again once %s', async (_what, change) => {
  await tried();
  change();
  await tried();
  expect(starts()).toBe(2);
});

test('other facts about this process change nothing', async () => {
  await tried();
  kernel('self/status', 'Name: b\nSeccomp:\t0\nVmPeak: 2\n');
  expect([await tried(), starts()]).toEqual([{ works: true }, 1]);
});

test('another PATH, which may have another program for it, is tried', async () => {
  await tried();
  await tried({ env: { PATH: '/bin' } });
  expect(starts()).toBe(2);
});

test('where it is not known what decides, it is tried each time', async () => {
  const elsewhere = { platform: { os: 'darwin', arch: 'arm64' } } as const;
  await tried(elsewhere);
  await tried(elsewhere);
  expect(starts()).toBe(2);
});
