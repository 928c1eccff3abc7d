import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { readBlob } from '../../engine/journal/blobs.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { RuleIssue } from '../../review/findings/rule-issue.ts';
import {
  rehearse,
  settledResult,
  smallDiff,
  wholeAnswer,
  type RehearsedReview,
} from '../rehearsed-review.test-helper.ts';
import { issuesWithin } from './static-evidence.ts';

const risky = `diff --git a/src/agent.ts b/src/agent.ts
--- a/src/agent.ts
+++ b/src/agent.ts
@@ -1,1 +1,3 @@
 import https from 'node:https';
+export const agent = new https.Agent({ rejectUnauthorized: false });
+export const key = '${sampleSecrets[3]?.secret}';
`;

function promptsOf(review: RehearsedReview): readonly string[] {
  return review
    .journal()
    .flatMap((event) =>
      event.type === 'exchange.sent' ? [readBlob(review.runFolder, event.prompt_ref)] : [],
    );
}

test.each(['model', 'none'] as const)(
  'findings of rules are reported although an advisor of the kind %s finds nothing, and are fenced evidence in its prompt',
  async (assurance) => {
    const review = await rehearse({ diff: risky, turns: [{ answer: wholeAnswer }], assurance });
    const result = settledResult(await review.drive());
    expect(result).toMatchObject({
      outcome: 'findings',
      exit_code: 1,
      findings: [
        { source: 'rule:tls-verification-off', start_line: 2 },
        { severity: 'critical', source: 'rule:hardcoded-secret', start_line: 3 },
      ],
    });
    expect(JSON.stringify(result)).not.toContain(sampleSecrets[3]?.secret ?? 'a');
    const [prompt = ''] = promptsOf(review);
    expect(prompt).toMatch(
      /### From `Rules without a model: their findings, which are already reported`\n\n```text data-\w+\n- \w+, src\/agent\.ts:\d: /,
    );
    expect(prompt).toContain('src/agent.ts:2');
    expect(prompt).not.toContain(sampleSecrets[3]?.secret ?? 'a');
    const examined = review
      .journal()
      .filter((event) => event.type === 'step.ended' && event.step === 'review/rules/findings');
    expect(examined).toMatchObject([
      { value: { fault: null, ruleSets: { 'chunk-1': expect.arrayContaining(['secret scan']) } } },
    ]);
  },
);

test('static_review itself is sent no evidence, and what rules find is reported with its source', async () => {
  const review = await rehearse({ diff: risky, turns: [], advisor: 'static_review' });
  const { outcome, findings } = settledResult(await review.drive());
  expect(promptsOf(review).join('')).not.toContain('Rules without a model');
  expect([outcome, ...findings.map(({ source, rejectable }) => [source, rejectable])]).toEqual([
    'findings',
    ['rule:tls-verification-off', undefined],
    ['rule:hardcoded-secret', false],
  ]);
});

test('every finding of static_review in a large change names its rule, and none is reported twice', async () => {
  const diff = readFileSync('examples/checkout.diff', 'utf8');
  const review = await rehearse({ diff, turns: [], advisor: 'static_review' });
  const { findings } = settledResult(await review.drive());
  expect(findings.length).toBeGreaterThan(10);
  expect(findings.filter(({ source }) => source === undefined)).toEqual([]);
  expect(findings.filter(({ body }) => body.includes('found here:'))).toEqual([]);
  const places = findings.map(({ title, path, start_line: line }) => `${title} ${path} ${line}`);
  expect(new Set(places).size).toBe(places.length);
});

test('a review whose rules failed says so and is incomplete, whatever the advisor says', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }], assurance: 'model' });
  const file = join(review.runFolder, 'input.json');
  const input = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...input, examined: { issues: [], fault: 'no grammar' } }));
  expect(settledResult(await review.drive())).toMatchObject({
    outcome: 'incomplete',
    exit_code: 3,
    reasons: ['rules_failed: the rules failed and looked at nothing: no grammar'],
  });
});

test('a change in which rules find nothing carries no evidence', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }], assurance: 'model' });
  await review.drive();
  expect(promptsOf(review).join('')).not.toContain('Rules without a model');
});

test('what rules found when the change was taken is reported by every drive, whatever the input holds by then', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }], assurance: 'model' });
  const file = join(review.runFolder, 'input.json');
  const input = JSON.parse(readFileSync(file, 'utf8'));
  const found = {
    rule: 'hardcoded-secret',
    severity: 'critical',
    title: 'A secret is written into the source',
    why: 'It can be read.',
    fix: 'Revoke it.',
    path: 'src/total.ts',
    side: 'new',
    startLine: 2,
    endLine: 2,
    quote: '  const total = Math.round(subtotal(items));',
    rejectable: false,
  };
  writeFileSync(file, JSON.stringify({ ...input, examined: { issues: [found], fault: null } }));
  expect(settledResult(await review.drive())).toMatchObject({
    outcome: 'findings',
    exit_code: 1,
    findings: [{ start_line: 2, placement: 'exact', source: 'rule:hardcoded-secret', rejectable: false }],
  });
});

const lockWithSecret = `diff --git a/go.sum b/go.sum
--- a/go.sum
+++ b/go.sum
@@ -1 +1,2 @@
 one
+${sampleSecrets[3]?.line}
`;

test('a secret in a skipped file is a finding, and no review of nothing', async () => {
  const review = await rehearse({ diff: lockWithSecret, turns: [], advisor: 'auto' });
  expect(settledResult(await review.drive())).toMatchObject({
    outcome: 'findings',
    exit_code: 1,
    assurance: 'none',
    findings: [
      {
        source: 'rule:hardcoded-secret',
        path: 'go.sum',
        start_line: 2,
        placement: 'exact',
        rejectable: false,
      },
    ],
  });
  expect(review.result()).not.toHaveProperty('findings.0.outside_change');
});

test.each(['model', 'static', 'none'] as const)(
  'it is one beside files that an advisor of the kind %s reviewed',
  async (assurance) => {
    const review = await rehearse({
      diff: `${smallDiff}${lockWithSecret}`,
      turns: [{ answer: wholeAnswer }],
      assurance,
    });
    expect(settledResult(await review.drive())).toMatchObject({
      outcome: 'findings',
      exit_code: 1,
      findings: [{ source: 'rule:hardcoded-secret', path: 'go.sum' }],
    });
  },
);

test('an issue is within files if one of its lines is', () => {
  const { files } = parseUnifiedDiff(risky);
  const path = 'src/agent.ts';
  const at = (startLine: number, endLine: number, changes: Partial<RuleIssue> = {}) =>
    ({ ...issue, path, side: 'new', startLine, endLine, ...changes }) as const;
  const within = [at(2, 2), at(3, 3), at(3, 9)];
  const outside = [at(9, 9), at(2, 2, { path: 'src/b.ts' }), at(2, 2, { side: 'old' })];
  expect(issuesWithin(files, [...within, ...outside])).toEqual(within);
});

const issue = {
  rule: 'r',
  severity: 'minor',
  title: 't',
  why: 'w',
  fix: 'f',
  quote: 'q',
  rejectable: true,
} as const;
