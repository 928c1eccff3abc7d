import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codexProvider } from '../advisor.ts';
import { doctorCodex } from './doctor.ts';

test('if Codex is not installed, doctor and probe explain how to install it', async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'collab-no-codex-')));
  mkdirSync(join(cwd, 'bin'));
  const environment = {
    env: { PATH: join(cwd, 'bin'), HOME: cwd },
    cwd,
    settings: {},
    signal: new AbortController().signal,
  };
  const message = 'Codex is not installed: there is no `codex` on PATH.';
  const hint = 'npm install --global @openai/codex';
  expect(await doctorCodex(environment)).toEqual([{ name: 'program', state: 'fails', text: message, hint }]);
  expect(await codexProvider.probe(environment)).toEqual({
    ready: false,
    code: 'cli_missing',
    message,
    hint,
  });
  const wrong = { ...environment, settings: { 'codex.path': '/no/such/codex' } };
  expect(await codexProvider.probe(wrong)).toMatchObject({
    code: 'cli_missing',
    message: expect.stringContaining('/no/such/codex'),
  });
  rmSync(cwd, { recursive: true });
});
