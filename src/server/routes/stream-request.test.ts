import { expect, test } from 'vitest';
import { executor } from '../served.test-helper.ts';
import { streamRequestSchema } from './stream-request.ts';

const request = { user_input: 'hello', executor };

test('R002-10 a request with every field of the specification is read whole', () => {
  const whole = {
    user_input: 'hello',
    executor: { ...executor, employee_id: 'E-7' },
    tokens: { github: 'tok' },
    preferred_skills: ['secure-change'],
  };
  expect(streamRequestSchema.parse(whole)).toEqual(whole);
  expect(streamRequestSchema.parse(request)).toEqual(request);
});

test.each(['user_id', 'name', 'email'] as const)('R002-10.2 an executor without %s is refused', (field) => {
  const { [field]: _, ...rest } = executor;
  expect(placesOf({ ...request, executor: rest })).toEqual([`executor.${field}`]);
});

test.each([
  ['R002-10.1', { user_input: '' }, 'user_input'],
  ['R002-10.2', { executor: undefined }, 'executor'],
  ['R002-10.2', { executor: { ...executor, employee_id: 7 } }, 'executor.employee_id'],
  ['R002-10.3', { tokens: { github: 7 } }, 'tokens.github'],
  ['R002-10.3', { tokens: ['tok'] }, 'tokens'],
  ['R002-10.4', { preferred_skills: 'secure-change' }, 'preferred_skills'],
  ['R002-10.4', { preferred_skills: [7] }, 'preferred_skills.0'],
])('%s %j is refused at %s', (_rule, change, place) => {
  expect(placesOf({ ...request, ...change })).toEqual([place]);
});

function placesOf(body: object): readonly string[] {
  return streamRequestSchema.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];
}
