/**
 * The demo's script as the workload of the tests that cut and kill: it has every kind of turn, here without a pause.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { scriptSchema } from '../../../src/providers/rehearsal/script.ts';

const demo = scriptSchema.parse(
  parse(readFileSync(join(import.meta.dirname, '../../../examples/demo.yaml'), 'utf8')),
);

export const everyKindOfTurn = {
  ...demo,
  call_log: 'calls.log',
  turns: demo.turns.map((turn) => ({ ...turn, delay_ms: 0, edit_delay_ms: 0 })),
};

export const demoFiles = demo.project?.files ?? {};
