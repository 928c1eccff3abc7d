import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { designAnswer } from '../../../test/contract/workflow/workflow-script.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { continueRun } from '../continue-run.ts';
import { consultInput, savedRun } from '../folder/saved-runs.test-helper.ts';

test('a consult that has ended returns its answer without another call', async () => {
  const cwd = scratchFolder();
  const script = { agent: { name: 'Codex' }, call_log: 'calls.log', turns: [{ answer: designAnswer }] };
  writeFileSync(join(cwd, 'script.yaml'), stringify(script));
  const { advisor } = consultInput();
  const rehearsal = { ...advisor, provider: 'rehearsal', model: 'script.yaml', assurance: 'none' } as const;
  const input = consultInput({ cwd, advisor: rehearsal });
  const { runId, path: runFolder } = savedRun(join(cwd, '.collab'), 'c1', input, null);
  const env = { HOME: cwd, PATH: '/usr/bin:/bin', XDG_STATE_HOME: scratchFolder() };
  const drive = () => continueRun({ runId, runFolder, env, clock, signal: new AbortController().signal });
  const first = await drive();
  expect(first).toMatchObject({
    kind: 'settled',
    result: {
      outcome: 'settled',
      sections: [{ name: 'ASSESSMENT', text: 'Sound.' }, {}, {}, {}],
      missing: [],
    },
  });
  const log = join(cwd, 'calls.log');
  const calls = existsSync(log) ? readFileSync(log, 'utf8') : null;
  expect(calls).toContain('consult');
  const titles = join(runFolder, 'journal.jsonl');
  const records = readFileSync(titles, 'utf8');
  expect(await drive()).toEqual(first);
  expect([readFileSync(log, 'utf8'), readFileSync(titles, 'utf8')]).toEqual([calls, records]);
});
