/** Runs the commands of references/server.md against a real server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/system/run-command.ts';
import { wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { routeDocs } from '../../src/server/routes/route-docs.ts';
import { serveWorld } from '../server/served-folder.ts';

const page = readFileSync(join(import.meta.dirname, '../../references/server.md'), 'utf8');

test('every command of references/server.md succeeds, in order', async () => {
  const { url, root, faults } = await serveWorld({ turns: [{ repeat: 'forever', answer: wholeAnswer }] });
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const commands = blocks.join('').replace('http://127.0.0.1:8765', url);
  const script = `set -euo pipefail\ncurl() { command curl -sS --fail-with-body --max-time 60 "$@"; }\n${commands}`;
  const { exitCode, stdout, stderr } = await runCommand({
    file: 'bash',
    args: ['-c', script],
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '' },
    maxOutputBytes: 4 * 1024 * 1024,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('event: done');
  expect(stdout).toContain('"type":"run.ended"');
  expect(stdout).toContain('"outcome":"clean"');
  expect(faults).toEqual([]);
});

test('every route is documented in references/server.md', () => {
  const base = '/api/tenants/{tenant}/conversations/{conversation}';
  const missing = routeDocs
    .map(({ path }) => path.replace(base, '{base}').replace('{digest}', '{sha256}'))
    .filter((path) => !page.includes(path));
  expect(missing).toEqual([]);
});
