import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { version } from '../../version.ts';
import {
  consultResultJsonSchema,
  consultResultSchema,
  unfinishedConsultResult,
  type ConsultFacts,
} from './consult-result.ts';

const schemaFile = resolve(import.meta.dirname, '../../../schemas/collab.consult.v1.json');

const facts: ConsultFacts = {
  run_id: '20261121-093005-x7k2',
  conversation_id: '20261121-093005-x7k2',
  phase: 'design',
  tag: '[CONSULT:DESIGN]',
  answer_tag: '[RESPONSE:DESIGN]',
  advisor: { provider: 'codex', model: null, version: null },
  lead: { provider: 'caller', model: null, version: null },
  started_at: '2026-11-21T09:30:05.000Z',
  brief_digest: 'd',
};

test('the published JSON Schema equals that of the code (UPDATE_SCHEMAS=1 writes it)', () => {
  const text = `${JSON.stringify(consultResultJsonSchema(), null, 2)}\n`;
  if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(schemaFile, text);
  expect(readFileSync(schemaFile, 'utf8')).toBe(text);
});

test('an unfinished consult is never read as an answer, and is valid by both schemas', () => {
  const result = unfinishedConsultResult(facts, 'waiting');
  expect(result).toMatchObject({
    collab_version: version,
    state: 'waiting',
    outcome: 'unfinished',
    sections: [],
    exit_code: 4,
  });
  expect(consultResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  const validate = new Ajv2020({ formats: { 'date-time': true } }).compile(consultResultJsonSchema());
  expect(validate({ ...result, added_later: 1 })).toBe(true);
  expect(validate({ ...result, outcome: 'ok' })).toBe(false);
  const { collab_version: _, ...older } = result;
  expect([validate(older), consultResultSchema.parse(older)]).toEqual([true, older]);
});
