import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { configSchema, renderConfigSchema } from './config-schema.ts';

const published = resolve(import.meta.dirname, '../../schemas/collab.config.json');

test('the published schema equals that of the code (UPDATE_SCHEMAS=1 writes it)', () => {
  if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(published, renderConfigSchema());
  expect(readFileSync(published, 'utf8')).toBe(renderConfigSchema());
});

test.each([
  [{}, true],
  [{ fail_on: 'minor', limits: { idle: '2m' }, phase_limits: { review: { total: '1h' } } }, true],
  [{ providers: { codex: { path: '/x' } }, waits: ['50ms'] }, true],
  [{ fail_onn: 'minor' }, false],
  [{ fail_on: 'none' }, false],
  [{ limits: { idle: '2 minutes' } }, false],
  [{ phase_limits: { requirements: {}, design: { idle: '9m' }, implementation: {} } }, true],
  [{ phase_limits: { desgin: {} } }, false],
  [{ on_advisor_failure: 'continue' }, true],
  [{ on_advisor_failure: 'ignore' }, false],
  [{ time_limit: '0s' }, false],
  [{ limits: { idle: '0m0s' } }, false],
  [{ waits: ['0s'] }, true],
  [{ reports: [{ format: 'json' }] }, false],
  [{ concurrency: 0 }, false],
])('an editor and the program judge alike: %j', (value, accepted) => {
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(published, 'utf8')));
  expect([validate(value), configSchema.safeParse(value).success]).toEqual([accepted, accepted]);
});
