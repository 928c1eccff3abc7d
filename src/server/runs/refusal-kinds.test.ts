import { expect, test } from 'vitest';
import { databaseFault } from '../../engine/postgres/connect.ts';
import { isServersFault, kindOfError, messageOfError } from './refusal-kinds.ts';

test('a fault of the database ends a stream in fixed words, and its text is only logged', () => {
  const refused = new Error('password authentication failed for user "collab"');
  const fault = databaseFault(Object.assign(refused, { code: '28P01' }));
  expect(messageOfError(fault)).toBe('The database is out of reach');
  expect([kindOfError(fault), isServersFault(fault)]).toEqual(['internal', true]);
});
