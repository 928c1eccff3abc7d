import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  collabEventSchema,
  errorKinds,
  eventBodySchema,
  exchangeActions,
  findingSchema,
  rejectionReasons,
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
    'names each field of %s, with a mark where it may be absent',
    (type, option) => {
      const fields = Object.entries<z.ZodType>(option.shape)
        .filter(([name]) => name !== 'type')
        .map(([name, schema]) => (schema.safeParse(undefined).success ? `${name}?` : name));
      expect(wordsIn(rowOf(type)[1] ?? '')).toEqual(expect.arrayContaining(fields));
    },
  );

  test('names each field of the envelope', () => {
    const envelope = collabEventSchema.def.left;
    if (!(envelope instanceof z.ZodObject)) throw new TypeError('the envelope is no object');
    const fields = Object.entries<z.ZodType>(envelope.shape).map(([name, schema]) =>
      schema.safeParse(undefined).success ? `\`${name}?\`` : `\`${name}\``,
    );
    expect(rows.filter((row) => row.length === 2).map(([name]) => name)).toEqual(
      expect.arrayContaining(fields),
    );
  });

  test('names each field of a finding, each reason for a rejection and each kind of error', () => {
    const finding = events.slice(events.indexOf('A finding: '), events.indexOf('## Budget and raw'));
    const fields = Object.entries<z.ZodType>(findingSchema.shape).map(([name, schema]) =>
      schema.safeParse(undefined).success ? `${name}?` : name,
    );
    expect(wordsIn(finding)).toEqual(expect.arrayContaining(fields));
    expect(rowOf('exchange.rejected')[2]).toContain(`\`reason\`: ${rejectionReasons.join(', ')}.`);
    expect(rowOf('exchange.rejected')[2]).toContain(`happens next: ${exchangeActions.join(', ')}`);
    expect(rowOf('error')[2]).toContain(`\`kind\`: ${errorKinds.join(', ')}`);
  });
});
