import { expect, test } from 'vitest';
import { changedFiles, finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { renderReport } from '../../views/reports/report-formats.ts';
import { atTerminal, sessionIn, type SessionHow } from '../command.test-helper.ts';
import { writeReport } from './write-report.ts';

const change = async () => ({ counted: { files: changedFiles } });
// oxlint-disable-next-line no-unsafe-type-assertion -- the parts of a run that a report reads
const run = { input: { kind: 'review', cwd: '' }, change } as unknown as OpenedRun;
const plain = { columns: 80, color: false, ascii: false, remote: '' };

const write = (
  result: ReturnType<typeof report>,
  format: 'terminal' | 'markdown',
  how: SessionHow = {},
  style = {},
) => writeReport(result, format, sessionIn({ root: '/', env: {} }, how).session, style);

test('a report at a terminal has the lines of the change around each finding, and that of a saved result has none', async () => {
  const saved = await write(report(), 'terminal');
  expect(saved).toBe(await renderReport('terminal', report(), plain));
  const own = await write(report(), 'terminal', {}, { run });
  expect(own).not.toBe(saved);
  expect(own).toContain('for (const item of items) subtotal += item.price;');
  expect(await write(report(), 'markdown', {}, { run })).toBe(
    await renderReport('markdown', report(), plain),
  );
  const unread = { ...run, change: () => Promise.reject(new Error('read')) };
  const clean = report({ findings: [] });
  expect(await write(clean, 'terminal', {}, { run: unread })).toBe(
    await renderReport('terminal', clean, plain),
  );
  await expect(write(report(), 'terminal', {}, { run: unread })).rejects.toThrow('read');
});

test('a report has the width, the colors and the letters of its terminal', async () => {
  const result = report({ findings: [finding()] });
  const narrow = { columns: 50, color: { out: true, err: false } };
  expect(await write(result, 'terminal', { screen: narrow }, { ascii: true })).toBe(
    await renderReport('terminal', result, { columns: 50, color: true, ascii: true, remote: '' }),
  );
  const linked = await write(result, 'terminal', { screen: { ...atTerminal, columns: 50 } }, { run });
  expect(linked).toContain('\u001b[');
});

test('a consult has no findings', async () => {
  // oxlint-disable-next-line no-unsafe-type-assertion -- what is read before the format is refused
  const consult = { schema: 'collab.consult/v1' } as never;
  expect(
    await refusalOf(writeReport(consult, 'sarif', sessionIn({ root: '/', env: {} }).session, {})),
  ).toEqual({
    code: 'usage',
    message: 'a consult has no findings, and sarif shows nothing else',
    hint: 'use one of terminal, json, markdown',
  });
});
