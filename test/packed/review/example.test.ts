/** The example that the package is shown with, and its held-out variants, through the installed command. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe } from 'vitest';
import { z } from 'zod';
import { severities } from '../../../src/tags/severities.ts';
import { example, test } from '../place.ts';

const variants = readdirSync(example('held-out'))
  .filter((name) => name.endsWith('.expected.json'))
  .map((name) => join('held-out', name.replace('.expected.json', '')));

const expectedSchema = z.array(
  z.object({
    path: z.string(),
    side: z.enum(['new', 'old']),
    line: z.int(),
    severity: z.enum(severities),
    rule: z.string(),
  }),
);

const resultSchema = z.object({
  state: z.string(),
  outcome: z.string(),
  assurance: z.string(),
  exit_code: z.int(),
  findings: z.array(
    z.object({
      path: z.string(),
      side: z.enum(['new', 'old']),
      start_line: z.int(),
      severity: z.enum(severities),
      body: z.string(),
      placement: z.string(),
    }),
  ),
  coverage: z.object({
    files: z.array(z.object({ path: z.string(), status: z.string(), reason: z.string().optional() })),
  }),
});

describe.concurrent('the example', () => {
  test('is explained to a person: what was reviewed and skipped, each finding, and what is missing', async ({
    place,
    expect,
  }) => {
    const { code, stdout, stderr } = await place.collab([
      'review',
      example('checkout.diff'),
      '--rules',
      'all',
    ]);
    expect(code).toBe(1);
    const [subject, agent, fallback, limits, ...rest] = stderr.split('\n');
    expect(subject).toBe('reviewing diff file checkout.diff');
    expect(agent).toBe('  by static_review; nothing leaves this machine; static checks only, no model looks');
    expect(fallback).toMatch(/^ {2}no model: Codex is not installed: /);
    expect(limits).toMatch(/^ {2}about [\d,]+ tokens of diff; time limit 60 min$/);
    expect(rest.slice(0, 3)).toEqual([
      'skipped package-lock.json: lock file',
      'skipped src/generated/shop-api.ts: generated (@generated)',
      'reviewing 11 files, 97 lines in 1 chunk',
    ]);
    expect(headsOf(stdout)).toEqual(expectedOf('checkout').map(headOf).toSorted());
    const report = stdout.replace(/\s+/g, ' ');
    expect(report).toContain('findings — 21 findings: 8 critical, 9 important, 4 minor');
    expect(report).toContain('static checks only, no model looked exit 1: 8 findings at or above critical');
    expect(report).toContain(
      'package-lock.json: lock file src/generated/shop-api.ts: generated (@generated)',
    );
  });

  test.for([
    ['never', 0],
    ['critical', 1],
  ] as const)(
    'with --fail-on %s as JSON is valid and exits %i',
    async ([failOn, code], { place, expect }) => {
      const args = ['review', example('checkout.diff'), '--rules', 'all', '--fail-on', failOn];
      const review = await place.collab([...args, '--format', 'json']);
      expect(review.code).toBe(code);
      const report: unknown = JSON.parse(review.stdout);
      const schema = readFileSync(join(place.packageFolder, 'schemas/collab.review.v1.json'), 'utf8');
      const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, date: true } });
      expect({ valid: ajv.validate(JSON.parse(schema), report), errors: ajv.errors }).toEqual({
        valid: true,
        errors: null,
      });
      expect(resultSchema.parse(report)).toMatchObject({
        state: 'ended',
        outcome: 'findings',
        assurance: 'static',
        exit_code: code,
      });
    },
  );
});

describe.concurrent.each(['checkout', ...variants])('%s.diff', (name) => {
  test('has its findings on the right lines, and its skipped files with reasons', async ({
    place,
    expect,
  }) => {
    const { code, stdout } = await place.collab([
      'review',
      example(`${name}.diff`),
      '--rules',
      'all',
      '--format',
      'json',
    ]);
    expect(code).toBe(1);
    const { findings, coverage } = resultSchema.parse(JSON.parse(stdout));
    const found = findings.map((finding) => ({
      path: finding.path,
      side: finding.side,
      line: finding.start_line,
      severity: finding.severity,
      rule: /Rule: `([\w-]+)`/.exec(finding.body)?.[1],
    }));
    expect(found.map(render).toSorted()).toEqual(expectedOf(name).map(render).toSorted());
    expect(new Set(findings.map(({ placement }) => placement))).toEqual(new Set(['exact']));
    const skipped = coverage.files.filter(({ status }) => status === 'skipped').map(({ reason }) => reason);
    expect(new Set(skipped)).toEqual(new Set(['generated (@generated)', 'lock file']));
  });

  test('has a fixed version without a finding', async ({ place, expect }) => {
    const fixed = ['review', example(`${name}.fixed.diff`), '--advisor', 'static_review'];
    const { code, stdout } = await place.collab([...fixed, '--format', 'json']);
    const { outcome, findings } = resultSchema.parse(JSON.parse(stdout));
    expect({ code, outcome, findings }).toEqual({ code: 0, outcome: 'clean', findings: [] });
  });
});

type Expected = z.infer<typeof expectedSchema>[number];

function expectedOf(name: string): readonly Expected[] {
  return expectedSchema.parse(JSON.parse(readFileSync(example(`${name}.expected.json`), 'utf8')));
}

function render(value: object): string {
  return JSON.stringify(value);
}

function headOf({ path, line, severity }: Expected): string {
  return `${path}:${line}: ${severity}`;
}

/** `path:line: severity` of each finding of a terminal report. */
function headsOf(report: string): readonly string[] {
  return [...report.matchAll(/^(\S+:\d+)(?:-\d+)?: (critical|important|minor): /gm)]
    .map(([, place = '', severity = '']) => `${place}: ${severity}`)
    .toSorted();
}
