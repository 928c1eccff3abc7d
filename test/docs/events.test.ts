import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  agentSchema,
  collabEventSchema,
  errorKinds,
  eventBodySchema,
  exchangeActions,
  findingSchema,
  rejectionReasons,
  usageSchema,
} from '../../src/events/collab-event.ts';

const events = readFileSync(join(import.meta.dirname, '../../references/events.md'), 'utf8');

/** The cells of every table row, without its outer bars; a bar within a cell is written `\|`. */
const rows = events
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));

function rowOf(type: string): readonly string[] {
  return rows.find(([name, , ...when]) => name === `\`${type}\`` && when.length > 0) ?? [];
}

function wordsIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([a-z_\d]+\??)`/g)].map(([, word]) => word ?? '');
}

describe('the page about events', () => {
  test('has a row for each event type, and for nothing else', () => {
    const types = eventBodySchema.options.map(({ shape }) => `\`${shape.type.value}\``);
    const documented = rows.flatMap(([name = '', ...cells]) => (cells.length === 2 ? [name] : []));
    expect(documented).toHaveLength(types.length);
    expect(new Set(documented)).toEqual(new Set(types));
  });

  test.each(eventBodySchema.options.map((option) => [option.shape.type.value, option] as const))(
    'names exactly the fields of %s, with a mark where one may be absent',
    (type, option) => {
      const fields = fieldsOf(option).filter((name) => name !== 'type');
      expect(wordsIn(rowOf(type)[1] ?? '')).toEqual(fields);
    },
  );

  test('names each field of the envelope', () => {
    const envelope = collabEventSchema.def.left;
    if (!(envelope instanceof z.ZodObject)) throw new TypeError('the envelope is no object');
    const fields = markedNames(envelope).map(([name]) => `\`${name}\``);
    const documented = rows.filter((row) => row.length === 2).map(([name]) => name);
    expect(documented.slice(0, fields.length + 1).filter((name) => name !== '`type`')).toEqual(fields);
    expect(
      wordsIn(
        fieldsOf(agentSchema)
          .map((name) => `\`${name}\``)
          .join(),
      ),
    ).toEqual(['id', 'role', 'provider', 'model?']);
  });

  test('names each field of a finding, each reason for a rejection and each kind of error', () => {
    const finding = events.slice(events.indexOf('A finding: '), events.indexOf('## Budget and raw'));
    expect(new Set(wordsIn(finding))).toEqual(new Set([...fieldsOf(findingSchema), 'advisor', 'missed']));
    expect(rowOf('exchange.rejected')[2]).toContain(`\`reason\`: ${rejectionReasons.join(', ')}.`);
    expect(rowOf('exchange.rejected')[2]).toContain(`happens next: ${exchangeActions.join(', ')}`);
    expect(rowOf('error')[2]).toContain(`\`kind\`: ${errorKinds.join(', ')}`);
  });
});

/** Returns the fields of an object and, behind each, those of the objects in it. Findings and usage are described once. */
function fieldsOf(object: z.ZodObject): readonly string[] {
  return markedNames(object).flatMap(([marked, schema]) => {
    const inner = objectIn(schema);
    return inner === null || inner === findingSchema || inner === usageSchema
      ? [marked]
      : [marked, ...fieldsOf(inner)];
  });
}

function markedNames(object: z.ZodObject): readonly (readonly [string, z.core.$ZodType])[] {
  return Object.entries(object.shape).map(([name, schema]) => [
    z.safeParse(schema, undefined).success ? `${name}?` : name,
    schema,
  ]);
}

function objectIn(schema: z.core.$ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return objectIn(schema.unwrap());
  return schema instanceof z.ZodArray ? objectIn(schema.element) : null;
}
