import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { renderMarkdownReport } from '../../views/reports/markdown-report.ts';
import { writeReport } from './write-report.ts';

let folder = '';
let said = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'collab-summary-'));
  said = '';
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The environment of a step on a runner; `GITHUB_STEP_SUMMARY` names the file. */
function sessionWith(env: Readonly<Record<string, string>>) {
  return {
    env,
    err: (text: string) => void (said += text),
    screen: {
      columns: 80,
      color: { out: false, err: false },
      interactive: { out: false, err: false },
      movesCursor: true,
    },
  };
}

const summary = () => join(folder, 'summary.md');

test('the annotations come with the step summary, appended to what other steps wrote', async () => {
  writeFileSync(summary(), 'Before.\n');
  const printed = await writeReport(report(), 'github', sessionWith({ GITHUB_STEP_SUMMARY: summary() }), {});
  expect(printed).toMatch(/^::error file=src\/checkout\/total\.ts,line=41,/);
  expect(readFileSync(summary(), 'utf8')).toBe(`Before.\n\n${renderMarkdownReport(report())}`);
  expect(said).toBe('');
});

test('no other format writes a summary, and none is written outside of a runner', async () => {
  writeFileSync(summary(), '');
  await writeReport(report(), 'markdown', sessionWith({ GITHUB_STEP_SUMMARY: summary() }), {});
  await writeReport(report(), 'github', sessionWith({ GITHUB_STEP_SUMMARY: '' }), {});
  await writeReport(report(), 'github', sessionWith({}), {});
  expect(readFileSync(summary(), 'utf8')).toBe('');
});

test('a summary that does not fit beside the others is shortened, or omitted if there is no room at all', async () => {
  const session = sessionWith({ GITHUB_STEP_SUMMARY: summary() });
  const long = report({ findings: [finding({ title: 'One', body: '設'.repeat(30_000) })] });
  const mebibyte = 1024 * 1024;
  writeFileSync(summary(), 'x'.repeat(mebibyte - 20_000));
  await writeReport(long, 'github', session, {});
  expect(readFileSync(summary(), 'utf8')).toContain('**Shortened**');
  expect(readFileSync(summary()).length).toBeLessThanOrEqual(mebibyte);

  writeFileSync(summary(), 'x'.repeat(mebibyte - 5000));
  await writeReport(long, 'github', session, {});
  expect(readFileSync(summary())).toHaveLength(mebibyte - 5000);
  expect(said).toBe('the step summary is full; --format markdown prints its text\n');
});

test('a failure to write the summary is reported, and the annotations are still printed', async () => {
  const printed = await writeReport(report(), 'github', sessionWith({ GITHUB_STEP_SUMMARY: folder }), {});
  expect(printed).toContain('collab review: findings');
  expect(said).toMatch(
    /^the step summary cannot be written \(.* is a folder.*\); --format markdown prints its text/,
  );
});
