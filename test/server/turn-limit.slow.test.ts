/** `stream_limit_seconds` limits only an answer of the lead. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { base } from '../../src/server/served.test-helper.ts';
import { scratchFolder } from '../fixtures/scratch-repository.ts';
import { serveWorld } from './served-folder.ts';

const begunSchema = z.object({ run_id: z.string() });
const runSchema = z.object({ state: z.string() });

test('X002-13.2,3 a turn ends at the configured limit, a review does not', async () => {
  const config = join(scratchFolder(), 'own.yaml');
  writeFileSync(config, 'stream_limit_seconds: 1\n');
  const { ask, say, faults } = await serveWorld({
    flags: { config },
    turns: [
      { when: { work: 'converse' }, fault: 'never', repeat: 'forever' },
      { fault: 'never', repeat: 'forever' },
    ],
  });
  const runs = `${base('second')}/runs`;
  const begun = await ask(runs, { method: 'POST', body: { kind: 'review' } });
  expect(begun.status).toBe(201);
  const run = `${runs}/${begunSchema.parse(begun.json()).run_id}`;
  // The turn begins later and ends at its limit, while the review continues.
  const stream = await say('hello');
  expect(stream).toMatch(/event: error\n.*"error_type":"timeout_error"/s);
  expect(runSchema.parse((await ask(run)).json()).state).toBe('running');
  expect((await ask(`${run}/cancel`, { method: 'POST', body: {} })).status).toBe(202);
  expect(faults).toEqual([]);
});
