import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { disguises, secretCorpus } from '../../test/fixtures/secret-corpus.ts';
import { reportFormats } from '../config/settings.ts';
import { renderReport } from '../views/reports/report-formats.ts';
import { openRun, reviewInputOf } from './folder/opened-run.ts';
import { rehearse, settledResult, wholeAnswer } from './rehearsed-review.test-helper.ts';

const token = ['gh', 'p_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9'].join('');
const diff = diffOf('a.sh', [`export GITHUB_TOKEN=${token}`, "export DB_PASSWORD='Winter-2026!'"]);

test('no secret of the corpus, however disguised, is left in the input, prompts, answers, journal or reports', async () => {
  const wrapped = secretCorpus.flatMap((secret) =>
    disguises.map(({ wrap }) => wrap(secret).replaceAll(/^@@.*\n a\n\+/g, '')),
  );
  const told = wrapped.map((line) => `- It holds ${line}.`).join('\n');
  const review = await rehearse({
    diff: diffOf('src/sample.txt', wrapped),
    turns: [{ answer: wholeAnswer.replace('- Small.', told) }],
    settings: { chunk_tokens: 200_000, focus: wrapped[0] ?? '', instructions: wrapped.join('\n') },
  });
  const result = settledResult(await review.drive());
  const options = { columns: 100, color: false };
  const reports = await Promise.all(reportFormats.map((format) => renderReport(format, result, options)));
  const texts = [...filesBelow(review.runFolder), ...reports, JSON.stringify(review.journal())];
  expect(texts.join('\n')).toContain('src/sample.txt');
  const left = secretCorpus.flatMap((secret) =>
    disguises
      .filter(({ telling }) => telling(secret).some((part) => texts.some((text) => text.includes(part))))
      .map(({ name }) => `${secret.name}, ${name}`),
  );
  expect(left).toEqual([]);
});

test('what was masked is kept by kind and place, and rules report it from the input alone', async () => {
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
  'a run of version 0.1.0, whose input holds the change as it was taken, is read and masked (%s)',
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

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
