import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBelow } from '../../test/fixtures/files-holding.ts';
import { disguises, secretCorpus } from '../../test/fixtures/secret-corpus.ts';
import { reportFormats } from '../views/reports/report-formats.ts';
import { renderReport } from '../views/reports/report-formats.ts';
import { openRun, reviewInputOf } from './folder/opened-run.ts';
import { rehearse, settledResult, wholeAnswer } from './rehearsed-review.test-helper.ts';

const token = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9'].join('');
const diff = diffOf('a.sh', [`export GITHUB_TOKEN=${token}`, "export DB_PASSWORD='Winter-2026!'"]);

test.each(disguises)(
  'no secret of the corpus ($name) is in the input, prompts, answers, journal or reports',
  async ({ wrap, telling }) => {
    const wrapped = secretCorpus.map(wrap);
    const told = wrapped.join('\n');
    const issues = wrapped.map((text, index) => {
      const [first = ''] = text.split('\n').slice(-1);
      return `${index + 1}. **It says ${first}** — \`src/sample.txt:${index + 2}\`\n   \`\`\`\n   ${first}\n   \`\`\`\n   Why: ${first} is there.\n\n   Fix: drop ${first}.\n`;
    });
    const answer = wholeAnswer
      .replace('- Small.', wrapped.map((text) => `- It holds ${text}.`).join('\n'))
      .replace('ISSUES\nNone', `ISSUES\n### Minor\n${issues.join('\n')}`)
      .replace('SUGGESTIONS\nNone', `SUGGESTIONS\n- See\n\n\`\`\`diff\n${told}\n\`\`\``);
    const messages = [
      { thinking: told },
      { tool: { name: 'Bash', input: { command: told, [told]: told }, output: told } },
      { text: told },
    ];
    const review = await rehearse({
      diff: diffOf('src/sample.txt', wrapped),
      turns: [{ messages, answer, delta_size: 7 }],
      settings: { chunk_tokens: 200_000, focus: told, instructions: told },
    });
    const result = settledResult(await review.drive());
    // Those with equal asterisks become one.
    expect(result.findings.length).toBeGreaterThan(20);
    const options = { columns: 100, color: false };
    const reports = await Promise.all(reportFormats.map((format) => renderReport(format, result, options)));
    const places = {
      input: [readFileSync(join(review.runFolder, 'input.json'), 'utf8')],
      'prompts and answers': textsBelow(join(review.runFolder, 'blobs')),
      journal: [JSON.stringify(review.journal())],
      reports: [...reports, readFileSync(join(review.runFolder, 'transcript.md'), 'utf8')],
      'other files': textsBelow(review.runFolder),
    };
    const left = Object.entries(places).flatMap(([place, texts]) => {
      expect(texts.join('\n')).toContain('src/sample.txt');
      return secretCorpus
        .filter((secret) => telling(secret).some((part) => texts.some((text) => text.includes(part))))
        .map(({ name }) => `${place}: ${name}`);
    });
    expect(left).toEqual([]);
  },
);

test('masked parts are stored by kind and place, and rules report them from the input alone', async () => {
  const review = await rehearse({ diff, turns: [{ answer: wholeAnswer }], assurance: 'model' });
  const { change } = reviewInputOf(openRun({ runId: 'any', path: review.runFolder }));
  expect(change.diff).toBe(
    diff.replace(token, '*'.repeat(token.length)).replace('Winter-2026!', '*'.repeat(12)),
  );
  expect(change.secrets?.reported).toEqual([
    { rule: 'github_token', severity: 'critical', rejectable: 'never', path: 'a.sh', line: 2 },
    { rule: 'named_secret', severity: 'important', rejectable: 'quoted_code', path: 'a.sh', line: 3 },
  ]);
  expect(change.secrets?.covered).toMatchObject([
    { rule: 'github_token', path: 'a.sh', line: 2 },
    { rule: 'named_secret', path: 'a.sh', line: 3 },
  ]);
  expect(settledResult(await review.drive())).toMatchObject({
    outcome: 'findings',
    exit_code: 1,
    findings: [
      { severity: 'critical', start_line: 2 },
      { severity: 'important', start_line: 3 },
    ],
  });
});

test.each(['static_review', undefined])(
  'a run of version 0.1.0, whose input has the unmasked change, is read and masked (%s)',
  async (advisor) => {
    const review = await rehearse({
      diff,
      turns: [{ answer: wholeAnswer }],
      ...(advisor === undefined ? { assurance: 'model' } : { advisor }),
    });
    const file = join(review.runFolder, 'input.json');
    const { change, examined: _examined, ...input } = JSON.parse(readFileSync(file, 'utf8'));
    const { secrets: _secrets, ...older } = change;
    writeFileSync(file, JSON.stringify({ ...input, change: { ...older, diff } }));
    const result = settledResult(await review.drive());
    expect(result).toMatchObject({ outcome: 'findings', exit_code: 1 });
    expect(result.covered_secrets).toHaveLength(2);
    expect(JSON.stringify([result, review.journal()])).not.toContain(token);
  },
);

function diffOf(path: string, added: readonly string[]): string {
  const lines = added.flatMap((text) => text.split('\n')).map((line) => `+${line}\n`);
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  return `${head}@@ -1,1 +1,${lines.length + 1} @@\n echo\n${lines.join('')}`;
}

function textsBelow(folder: string): readonly string[] {
  return readBelow(folder).map(({ text }) => text);
}
