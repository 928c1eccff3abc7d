import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { readMaterial, refuseInputTwice } from './read-material.ts';

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

function sarif(...messages: readonly string[]): string {
  const region = { startLine: 2 };
  const locations = [{ physicalLocation: { artifactLocation: { uri: 'a.ts' }, region } }];
  const results = messages.map((text) => ({ ruleId: 'no-eval', message: { text }, locations }));
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results }] });
}

/** A folder with these files, read for a pull request with a text. */
function world(files: Readonly<Record<string, string>> = {}) {
  const cwd = scratchFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return (
    request: Parameters<typeof readMaterial>[0],
    pullRequest: string | null = null,
    input: string = 'from input',
  ) => readMaterial(request, { pullRequest }, { cwd, readInput: async () => Buffer.from(input) });
}

describe('the text of the pull request', () => {
  test('is that of its host, or of the file that is named, or standard input', async () => {
    const read = world({ 'text.md': 'from file' });
    expect((await read({}, 'from host')).pullRequest).toBe('from host');
    expect((await read({ pr_text: 'text.md' }, 'from host')).pullRequest).toBe('from file');
    expect((await read({ pr_text: '-' })).pullRequest).toBe('from input');
  });

  test('is none if it is empty, and masked', async () => {
    const read = world({ 'text.md': ' \n' });
    expect(await read({})).toEqual({ pullRequest: null, checks: [], imports: [] });
    expect((await read({ pr_text: 'text.md' }, 'from host')).pullRequest).toBeNull();
    expect((await read({}, `use ${secret}`)).pullRequest).not.toContain(secret);
  });

  test('that is too long or missing is refused with its flag', async () => {
    const read = world({ 'text.md': 'x'.repeat(262_145) });
    expect(await refusalOf(read({ pr_text: 'text.md' }))).toMatchObject({
      code: 'input',
      message: 'the text of the pull request is larger than 256 KiB',
    });
    expect(await refusalOf(read({ pr_text: 'gone.md' }))).toMatchObject({
      message: 'the text of the pull request cannot be read: gone.md',
      hint: expect.stringContaining('--pr-text'),
    });
  });
});

describe('evidence', () => {
  test('is read in the order of the command, each under the name of its file, without secrets', async () => {
    const read = world({ 'lint.sarif': sarif('eval', secret), 'log.txt': `one ${secret}\n` });
    const { checks } = await read({ evidence: ['lint.sarif', 'log.txt', '-'] }, null, 'three');
    expect(checks.map(({ name }) => name)).toEqual(['lint.sarif', 'log.txt', 'standard input']);
    expect(checks[0]?.items).toMatchObject([{ path: 'a.ts' }, { path: 'a.ts' }]);
    expect(checks[2]).toMatchObject({ summary: '1 line of text', items: [{ path: null, text: 'three' }] });
    expect(JSON.stringify(checks)).not.toContain(secret);
  });

  test('keeps two hundred results of a report', async () => {
    const read = world({ 'lint.sarif': sarif(...Array.from({ length: 201 }, (_, number) => `m${number}`)) });
    const { checks } = await read({ evidence: ['lint.sarif'] });
    expect(checks[0]?.items).toHaveLength(200);
  });

  test('that cannot be read is refused with its flag', async () => {
    expect(await refusalOf(world()({ evidence: ['gone.sarif'] }))).toMatchObject({
      message: 'the evidence gone.sarif cannot be read: gone.sarif',
      hint: expect.stringContaining('--evidence'),
    });
  });
});

describe('imported findings', () => {
  test('are those of SARIF, without secrets, under a visible name', async () => {
    const name = `a\u0007 ${secret}.sarif`;
    const { imports } = await world({ [name]: sarif('eval', secret) })({ imports: [name] });
    expect(imports).toMatchObject([
      {
        results: [{ tool: 'lint', rule: 'no-eval', message: 'eval', path: 'a.ts', lines: { start: 2 } }, {}],
      },
    ]);
    expect(JSON.stringify(imports)).not.toMatch(new RegExp(`${secret}|\\\\u0007`));
  });

  test('that cannot be read are refused with their flag', async () => {
    expect(await refusalOf(world()({ imports: ['gone.sarif'] }))).toMatchObject({
      message: 'the findings in gone.sarif cannot be read: gone.sarif',
      hint: expect.stringContaining('--import'),
    });
  });
});

test.each(['evidence', 'imports'] as const)(
  'ten files of %s are read, and eleven are too many',
  async (key) => {
    const read = world({ 'lint.sarif': sarif('eval') });
    const files = Array.from({ length: 10 }, () => 'lint.sarif');
    const { checks, imports } = await read({ [key]: files });
    expect(checks.length + imports.length).toBe(10);
    expect(await refusalOf(read({ [key]: [...files, 'lint.sarif'] }))).toMatchObject({
      code: 'usage',
      message: `${key === 'evidence' ? '--evidence' : '--import'} is given 11 times, at most 10 are read`,
    });
  },
);

test('standard input can be named once', () => {
  const diff = { kind: 'argument', words: '-' } as const;
  for (const request of [
    { changes: [diff] },
    { changes: [], pr_text: '-', evidence: ['a'], imports: ['b'] },
    { changes: [{ kind: 'argument', words: 'a' } as const, { kind: 'staged' } as const], evidence: ['-'] },
  ])
    expect(() => refuseInputTwice(request)).not.toThrow();
  const all = { changes: [diff], pr_text: '-', evidence: ['-'], imports: ['-'] };
  expect(() => refuseInputTwice(all)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'the diff and --pr-text and --evidence and --import cannot all be read from standard input',
      hint: 'name a file for all but one of them',
    }),
  );
  expect(() => refuseInputTwice({ changes: [diff], imports: ['-'] })).toThrow('the diff and --import cannot');
});
