import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { chooseLead, chooseOptionalLead, insideClaudeCode } from './lead-choice.ts';

const environment = (env: Record<string, string> = {}) => ({
  env: { PATH: '/nowhere', HOME: '/nowhere', ...env },
  cwd: '/nowhere',
  settings: {},
  signal: new AbortController().signal,
});

test('inside Claude Code the caller leads', async () => {
  const question = { lead: 'auto', configured: 'rehearsal', environment: environment({ CLAUDECODE: '1' }) };
  expect(await chooseLead(question)).toEqual({ provider: 'caller', model: null, chosenBy: 'auto' });
});

test.each([
  ['1', true],
  ['', false],
  ['0', false],
  ['false', false],
])('CLAUDECODE=%j means inside: %s', (value, inside) => {
  expect(insideClaudeCode({ CLAUDECODE: value })).toBe(inside);
});

test('outside, without an available Claude Code, the configured lead is used', async () => {
  const question = { lead: 'auto', configured: 'rehearsal:lead.yaml', environment: environment() };
  expect(await chooseLead(question)).toEqual({
    provider: 'rehearsal',
    model: 'lead.yaml',
    chosenBy: 'auto',
  });
});

test('lead: none in the configuration applies to reviews only; for a run of phases it is refused', async () => {
  const configured = { lead: 'auto', configured: 'none', environment: environment() };
  expect((await refusalOf(chooseLead(configured))).message).toMatch(/^no lead is available/);
  const asked = { lead: 'none', configured: null, environment: environment() };
  expect(await refusalOf(chooseLead(asked))).toMatchObject({
    code: 'usage',
    message: 'a run of phases needs a lead, not "none"',
  });
});

test('if no lead is available the refusal names every remedy', async () => {
  const refusal = await refusalOf(chooseLead({ lead: 'auto', configured: null, environment: environment() }));
  expect(['cli_missing', 'auth']).toContain(refusal.code);
  expect(refusal.message).toMatch(/^no lead is available/);
  expect(refusal.hint).toMatch(/--lead <provider>.*lead: in collab\.config\.yaml.*inside Claude Code/);
});

test('a named lead is used for every caller', async () => {
  const inside = environment({ CLAUDECODE: '1' });
  expect(await chooseLead({ lead: 'rehearsal:l.yaml', configured: null, environment: inside })).toEqual({
    provider: 'rehearsal',
    model: 'l.yaml',
    chosenBy: 'asked',
  });
  expect(await chooseLead({ lead: 'caller', configured: null, environment: environment() })).toEqual({
    provider: 'caller',
    model: null,
    chosenBy: 'asked',
  });
});

test('a bare model can lead if it is named', async () => {
  const question = { lead: 'anthropic:claude-opus-5-5', configured: null, environment: environment() };
  expect(await chooseLead(question)).toEqual({
    provider: 'anthropic',
    model: 'claude-opus-5-5',
    chosenBy: 'asked',
  });
});

test.each([
  ['static_review', 'static_review cannot lead'],
  ['nobody', 'there is no provider "nobody"'],
])('%s is refused', async (lead, message) => {
  expect(await refusalOf(chooseLead({ lead, configured: null, environment: environment() }))).toMatchObject({
    code: 'usage',
    message,
  });
});

test('an optional lead is the caller inside Claude Code, none elsewhere, or the named one', async () => {
  const inside = { CLAUDECODE: '1' };
  expect(await chooseOptionalLead({ lead: 'auto', env: inside })).toMatchObject({ provider: 'caller' });
  expect(await chooseOptionalLead({ lead: 'auto', env: {} })).toBe(null);
  expect(await chooseOptionalLead({ lead: 'none', env: inside })).toBe(null);
  expect(await chooseOptionalLead({ lead: 'rehearsal:l.yaml', env: {} })).toMatchObject({
    provider: 'rehearsal',
    model: 'l.yaml',
  });
});
