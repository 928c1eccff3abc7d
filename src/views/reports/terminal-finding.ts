import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, placeOfFinding } from '../../events/findings.ts';
import type { Severity } from '../../tags/severities.ts';
import { cutToWidth, wrapToWidth } from '../../text/display-width.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { Paint } from '../../text/paint.ts';
import { claimOf, gradeOf, remarksOn } from './counted-findings.ts';
import type { ContextLine, ContextOf } from './diff-context.ts';
import { printable } from './foreign-text.ts';
import { removesLines } from './plain-finding.ts';

export interface FindingStyle {
  readonly columns: number;
  readonly paint: Paint;
  readonly contextOf: ContextOf;
}

/** `path:line: severity: title [number]`, the quotation in its place, the reason and the remedy. */
export function renderFinding(finding: Finding, style: FindingStyle): readonly string[] {
  return [
    ...renderHead(finding, style),
    ...renderCode(finding, style),
    ...labelled('Class', claimOf(finding) ?? '', style),
    ...labelled('Why', finding.body, style),
    ...labelled('Fix', finding.remedy ?? '', style),
    ...renderReplacement(finding, style),
    ...remarksOn(finding).flatMap((remark) => labelled('Note', remark, style)),
  ];
}

function renderHead(finding: Finding, { columns, paint }: FindingStyle): readonly string[] {
  const place = onOneLine(printable(placeOfFinding(finding)));
  const title = onOneLine(printable(finding.title));
  const number = onOneLine(printable(finding.id));
  const [first = '', ...rest] = wrapToWidth(
    `${place}: ${gradeOf(finding)}: ${title} [${number}]`,
    columns - hanging.length,
  );
  const lines = [first, ...rest.map((line) => hanging + line)];
  const color = countsInOutcome(finding) ? severityColor[finding.severity] : 'dim';
  return lines.map((line) => paint.bold(paint[color](line)));
}

const hanging = '    ';
const severityColor: Readonly<Record<Severity, 'red' | 'yellow' | 'cyan'>> = {
  critical: 'red',
  important: 'yellow',
  minor: 'cyan',
};

function renderCode(finding: Finding, { columns, paint, contextOf }: FindingStyle): readonly string[] {
  const context = contextOf(finding);
  const lines = context.length > 0 ? context : quotedLines(finding);
  const width = Math.max(0, ...lines.map(({ number }) => String(number ?? '').length));
  return lines.map((line) => {
    const number = width === 0 ? '' : `${String(line.number ?? '').padStart(width)} `;
    const code = printable(line.text).replaceAll('\t', '  ');
    const margin = `  ${line.marked ? '>' : ' '} ${number}${signs[line.kind]}`;
    const text = cutToWidth(`${margin} ${code}`.trimEnd(), columns);
    return line.marked ? text : paint.dim(text);
  });
}

const signs: Readonly<Record<ContextLine['kind'], string>> = { added: '+', removed: '-', context: '|' };

function renderReplacement({ replacement }: Finding, style: FindingStyle): readonly string[] {
  if (replacement === undefined) return [];
  if (replacement === '') return [`  ${removesLines}`];
  const lines = replacement
    .split('\n')
    .map((text) => `  + ${printable(text).replaceAll('\t', '  ')}`.trimEnd());
  return ['  Replacement:', ...lines.map((line) => cutToWidth(line, style.columns))];
}

function quotedLines({ quote, side }: Finding): readonly ContextLine[] {
  if (quote === null) return [];
  const kind = side === 'old' ? 'removed' : 'context';
  return quote
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => ({ number: null, kind, text, marked: true }));
}

function labelled(label: string, text: string, { columns }: FindingStyle): readonly string[] {
  const said = printable(text).replaceAll('\t', '  ').trim();
  if (said === '') return [];
  const indent = '  ';
  return wrapToWidth(`${label}: ${said}`, columns - indent.length).map((line) => (indent + line).trimEnd());
}
