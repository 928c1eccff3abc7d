import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { renderJson } from '../../text/render-json.ts';
import { renderMarkdownReport } from './markdown-report.ts';
import { describeFormats, isReportFormat, renderReport, reportFormats } from './report-formats.ts';
import { renderGithubReport } from './github-report.ts';
import { renderGitlabReport } from './gitlab-report.ts';
import { renderRdjsonReport } from './rdjson-report.ts';
import { renderSarifReport } from './sarif-report.ts';
import { renderTerminalReport } from './terminal-report.ts';

test('each format is rendered by its own renderer, with the options that it needs', async () => {
  const options = { columns: 40, color: true };
  const rendered = await Promise.all(reportFormats.map((format) => renderReport(format, report(), options)));
  expect(rendered).toEqual([
    renderTerminalReport(report(), options),
    renderJson(report()),
    renderMarkdownReport(report()),
    renderSarifReport(report()),
    renderRdjsonReport(report()),
    renderGithubReport(report()),
    renderGitlabReport(report()),
  ]);
});

test('an unknown format is refused, even one that names a property of every object', () => {
  expect([...reportFormats, 'xml', 'constructor'].filter((name) => !isReportFormat(name))).toEqual([
    'xml',
    'constructor',
  ]);
});

test('the words of a format are aligned behind its name', () => {
  const lines = describeFormats().split('\n');
  expect(lines.map((line) => line.trimStart().split(' ')[0])).toEqual(reportFormats);
  expect(lines.slice(0, 2)).toEqual(['  terminal   for people', '  json       the result itself']);
});
