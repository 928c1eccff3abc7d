import { describe, expect, test } from 'vitest';
import { finding } from '../../review/findings/findings.test-helper.ts';
import type { RunInput } from '../folder/run-input.ts';
import { consultInput, fixInput, reviewInput, workflowInput } from '../folder/saved-runs.test-helper.ts';
import {
  filesOf,
  inputToSubmit,
  parsePortable,
  portableIfReadable,
  providersOf,
  readPortable,
  writePortable,
} from './portable-input.ts';

const settings = {
  'codex.path': '/opt/codex',
  'codex.base_url': 'https://elsewhere.example',
  'codex.folder': 'agents',
  'codex.profile': 'fast',
  'codex.path_style': 'short',
  'codex.extra': '/etc/passwd',
};
const agents = {
  advisor: { ...reviewInput().advisor, settings },
  lead: { ...workflowInput().lead, settings },
  reports: [{ format: 'json' as const, file: '/home/a/report.json' }],
};
const review = reviewInput({ ...agents, cwd: '/home/a/shop' });
const consult = consultInput({ ...agents, cwd: '/home/a/shop' });
const workflow = workflowInput({ ...agents, cwd: '/home/a/shop' });
const places = {
  cwd: '/worker/cwd',
  root: '/worker/files',
  providerSettings: { 'codex.path': '/usr/bin/codex', 'codex.profile': 'slow' },
};

describe('a submitted input', () => {
  test.each([review, consult, workflow])(
    'of a $kind names no place and no program of its machine',
    (input) => {
      const text = writePortable(input, null);
      for (const own of ['/home/a', '/opt/codex', 'elsewhere', 'agents', '/etc/passwd'])
        expect(text).not.toContain(own);
      expect(parsePortable(text)).toMatchObject({
        cwd: '',
        reports: [],
        advisor: { settings: { 'codex.profile': 'fast', 'codex.path_style': 'short' } },
        lead: { settings: { 'codex.profile': 'fast' } },
      });
    },
  );

  test.each([review, consult])('of a $kind gets the places and programs of its worker', (input) => {
    expect(readPortable(writePortable(input, 'tree-1'), places)).toMatchObject({
      cwd: '/worker/cwd',
      advisor: { settings: { 'codex.path': '/usr/bin/codex', 'codex.profile': 'fast' } },
    });
    const files = { root: '/worker/files', state: 'tree-1', tree: 'tree-1' };
    expect(filesOf(readPortable(writePortable(input, 'tree-1'), places))).toEqual(files);
    expect(filesOf(readPortable(writePortable(input, null), places))).toBeNull();
  });

  test('of a run of phases is driven in its copy', () => {
    const placed = readPortable(writePortable(workflow, 'tree-1'), places);
    expect([placed.cwd, filesOf(placed)]).toEqual(['/worker/files', null]);
  });

  test('without a lead has none on the worker', () => {
    expect(readPortable(writePortable({ ...review, lead: null }, null), places).lead).toBeNull();
  });
});

test('a fix cannot be submitted', () => {
  const fix = fixInput({ run: 'r0', findings: [finding()] });
  expect(() => inputToSubmit(fix)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'A run of the kind fix cannot be submitted to workers',
      hint: 'Start it here: leave out --remote.',
    }),
  );
  expect(inputToSubmit(review)).toBe(review);
});

test('an input of another version is refused with the remedy, or is not described', () => {
  expect(() => parsePortable('{"kind":"review"}')).toThrow(
    expect.objectContaining({
      code: 'journal_corrupt',
      message: 'The input of the run in the database cannot be read',
      hint: 'Use the version of collab that submitted it, or a newer one.',
    }),
  );
  expect(portableIfReadable('{"kind":"review"}')).toBeNull();
  expect(portableIfReadable('{')).toBeNull();
  expect(portableIfReadable(JSON.stringify(review))).toEqual(review);
});

test.each<[string, Partial<RunInput>, readonly string[]]>([
  ['of both agents', {}, ['codex', 'claude_code']],
  ['once, of one that is both', { lead: { ...agents.lead, provider: 'codex' } }, ['codex']],
  ['without that of a person who leads', { lead: { ...agents.lead, provider: 'user' } }, ['codex']],
  ['without that of a caller who leads', { lead: { ...agents.lead, provider: 'caller' } }, ['codex']],
  ['without a lead', { lead: null }, ['codex']],
  [
    'without an advisor that is not asked',
    { advisor: { ...agents.advisor, assurance: 'none' } },
    ['claude_code'],
  ],
])('the worker needs the providers %s', (_title, changes, providers) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an input of one kind
  expect(providersOf({ ...review, ...changes } as RunInput)).toEqual(providers);
});
