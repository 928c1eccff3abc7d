import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand } from '../../../src/system/run-command.ts';
import { installPackedCollab } from '../packed-collab.ts';

const repository = resolve(import.meta.dirname, '../../..');
const recorder = pathToFileURL(join(repository, 'test/fixtures/bin/record-connections.mjs')).href;

test('a review by rules opens no connection', async () => {
  const collab = await installPackedCollab();
  const home = mkdtempSync(join(tmpdir(), 'collab-telemetry-'));
  const log = join(home, 'connections.log');
  const env = { HOME: home, NODE_OPTIONS: `--import=${recorder}`, CONNECTIONS_LOG: log };
  const diff = join(repository, 'examples/checkout.diff');
  const reviewed = await collab.run(['review', diff, '--advisor', 'static_review'], { cwd: home, env });
  expect(reviewed.code).toBe(1);
  expect(existsSync(log)).toBe(false);
  rmSync(home, { recursive: true, force: true });
});

test('the recorder sees a connection', async () => {
  const home = mkdtempSync(join(tmpdir(), 'collab-telemetry-'));
  const log = join(home, 'connections.log');
  const program = join(home, 'connects.mjs');
  writeFileSync(
    program,
    "import net from 'node:net';\nnet.connect({ host: '127.0.0.1', port: 9 }).on('error', () => {});\n",
  );
  await runCommand({
    file: process.execPath,
    args: [`--import=${recorder}`, program],
    cwd: home,
    env: { CONNECTIONS_LOG: log },
    maxOutputBytes: 1024,
  });
  expect(readFileSync(log, 'utf8')).toContain('127.0.0.1');
  rmSync(home, { recursive: true, force: true });
});
