/** No process outlives its caller, however that ends. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { inOrder, type Step } from '../../upstream/steps.ts';
import { startScriptedCodex, withoutNamespaces } from './codex-user.ts';
import { createParentProcess } from '../parent-process.ts';
import { descendantsOf, stillAlive } from '../../setup/process-table.ts';

const { upstream, world } = await startScriptedCodex();
const parent = await createParentProcess(join(import.meta.dirname, 'parent.program.ts'), world.root);

afterEach(() => {
  parent.kill();
});

const sleeps: Step = {
  calls: [{ name: 'exec_command', arguments: { cmd: 'sleep 301', yield_time_ms: 200_000 } }],
};
const generous = { timeout: 20_000, interval: 100 };

test.each([
  ['SIGKILL', 'never answers', { hang: 'headers' }],
  ['SIGKILL', 'stops in the middle', { text: 'one half and the other', hang: 'stream' }],
  ['SIGKILL', 'lets a command run', sleeps],
  ['SIGTERM', 'never answers', { hang: 'headers' }],
  ['SIGTERM', 'lets a command run', sleeps],
  ['SIGINT', 'never answers', { hang: 'headers' }],
] as const)(
  '%s of the parent while the model %s leaves no process and no turn',
  async (signal, _name, step) => {
    const pid = await startParent(step);
    const wanted = step === sleeps ? 'sleep 301' : 'app-server';
    await expect
      .poll(() => descendantsOf(pid).map(({ command }) => command), generous)
      .toContainEqual(expect.stringContaining(wanted));
    const below = descendantsOf(pid);
    process.kill(pid, signal);
    await expect.poll(() => stillAlive(below), generous).toEqual([]);
    await expect.poll(() => upstream.openTurns(), generous).toBe(0);
  },
);

test('a finished call whose record was lost with the process is harvested', async () => {
  await startParent({ text: 'paid for' });
  await expect.poll(() => parent.said, generous).toContainEqual(expect.stringContaining('answered'));
  const bound = parent.boundSession();
  parent.kill();
  const before = upstream.requests.length;
  const next = await world.open({ stateFolder: join(world.root, 'killed') });
  expect(await next.harvest(bound, 'ex_1/1')).toEqual({ kind: 'answered', text: 'paid for', usage: null });
  expect(upstream.requests.length).toBe(before);
});

test('if the sandbox cannot start, the run continues with only the diff and says so', async () => {
  upstream.play(inOrder({ text: 'all the same' }));
  const line = `${withoutNamespaces} sh "$@"`;
  const args = [
    process.execPath,
    parent.file,
    join(world.root, 'confined'),
    world.repository,
    world.reviewFolder,
  ];
  const options = { env: { ...world.env, LEAVE: '1' } };
  const { stdout: said } = await promisify(execFile)('sh', ['-c', line, 'sh', ...args], options);
  expect(said).toContain('{"remarks":["no repository access"]}');
  expect(said).toContain('{"result":"answered"}');
  expect(upstream.requests.at(-1)?.text).not.toContain(world.reviewFolder);
});

/** Settles when the model has been asked. */
async function startParent(step: Step): Promise<number> {
  upstream.play(inOrder(step));
  const before = upstream.requests.length;
  const pid = parent.start([join(world.root, 'killed'), world.repository, world.reviewFolder], world.env);
  await upstream.untilRequests(before + 1);
  return pid;
}
