import { expect, test } from 'vitest';
import { z } from 'zod';
import type { LeadWork, TurnRequest } from '../contract/contract.ts';
import { advisorSituation, leadSituation } from './situation.ts';

/** Only the fields that a situation has. */
const isObject = (value: unknown): boolean => typeof value === 'object';
const requestSchema = z.custom<TurnRequest['request']>(isObject);
const workSchema = z.custom<LeadWork>(isObject);

test('a request of an exchange: its tag, and the round, consult, chunk and attempt of its call', () => {
  const request = requestSchema.parse({ tag: '[CONSULT:DESIGN]' });
  expect(advisorSituation({ request, prompt: 'p', callId: 'ex_design-2-consult-3/4/1' })).toEqual({
    role: 'advisor',
    phase: 'design',
    round: 2,
    work: null,
    tag: '[CONSULT:DESIGN]',
    consult: 3,
    chunk: 1,
    attempt: 4,
    prompt: 'p',
  });
});

test('a check of a finding has no request', () => {
  expect(advisorSituation({ request: null, prompt: 'p', callId: 'ex_review-2-chunk-5/1/1' })).toEqual({
    role: 'advisor',
    phase: 'review',
    round: 2,
    work: 'verify',
    tag: null,
    consult: 1,
    chunk: 5,
    attempt: 1,
    prompt: 'p',
  });
});

test('a turn of the lead has the phase, round and kind of its work', () => {
  const work = workSchema.parse({ phase: 'implementation', round: 3, kind: 'implement' });
  expect(leadSituation({ work, prompt: 'p', callId: 'implement/2/1' })).toEqual({
    role: 'lead',
    phase: 'implementation',
    round: 3,
    work: 'implement',
    tag: null,
    consult: 1,
    chunk: 1,
    attempt: 2,
    prompt: 'p',
  });
});
