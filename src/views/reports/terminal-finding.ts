import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, placeOfFinding } from '../../events/findings.ts';
import { wrapHanging, wrapToWidth } from '../../text/display-width.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { Paint } from '../../text/paint.ts';
import { cutSpans, paintLine, plain, styled, trimEnd, type Line } from '../../text/spans.ts';
import { severityStyle } from '../tables/styles.ts';
import { claimOf, gradeOf, remarksOn } from './counted-findings.ts';
import type { ContextLine, ContextOf } from './diff-context.ts';
import { printable } from './foreign-text.ts';
import { removesLines } from './plain-finding.ts';
import type { TerminalLook } from './terminal-look.ts';

export interface FindingStyle {
  readonly columns: number;
  readonly paint: Paint;
  readonly contextOf: ContextOf;
  readonly look?: TerminalLook | undefined;
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

function renderHead(finding: Finding, { columns, paint, look }: FindingStyle): readonly string[] {
  const place = onOneLine(printable(placeOfFinding(finding)));
  const title = onOneLine(printable(finding.title));
  const number = onOneLine(printable(finding.id));
  const lines = wrapHanging(`${place}: ${gradeOf(finding)}: ${title} [${number}]`, columns, hanging);
  const style = countsInOutcome(finding) ? severityStyle[finding.severity] : 'dim';
  const [head = '', ...more] = lines.map((line) => paint.bold(paint[style](line)));
  // A place that is broken over two lines has no link.
  const address = lines[0]?.startsWith(`${place}:`) === true ? (look?.addressOf?.(finding) ?? null) : null;
  return [address === null ? head : head.replace(place, () => linked(place, address)), ...more];
}

/** A link of a terminal (OSC 8). The address has no control characters: it is percent-encoded. */
function linked(text: string, address: string): string {
  return `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
}

const hanging = '    ';

function renderCode(finding: Finding, style: FindingStyle): readonly string[] {
  const { columns, paint, contextOf } = style;
  const context = contextOf(finding);
  const lines = context.length > 0 ? context : quotedLines(finding);
  const width = Math.max(0, ...lines.map(({ number }) => String(number ?? '').length));
  const colored = colorsFor(
    lines.map(({ text }) => text),
    finding,
    style,
  );
  return lines.map(({ marked, number, kind }, index) => {
    const digits = width === 0 ? '' : `${String(number ?? '').padStart(width)} `;
    const margin = `  ${marked ? '>' : ' '} ${digits}`;
    const spans = [
      plain(margin),
      styled(signs[kind], ...signStyles[kind]),
      plain(' '),
      ...(colored[index] ?? []),
    ];
    const cut = cutSpans(trimEnd(spans), columns);
    return marked ? paintLine(cut, paint) : paint.dim(cut.map(({ text }) => text).join(''));
  });
}

const signs: Readonly<Record<ContextLine['kind'], string>> = { added: '+', removed: '-', context: '|' };
const signStyles = { added: ['green'], removed: ['red'], context: ['dim'] } as const;

/** Returns the printable form of lines of code, in colors if there are any. */
function colorsFor(lines: readonly string[], { path }: Finding, { look }: FindingStyle): readonly Line[] {
  const shown = lines.map((text) => printable(text).replaceAll('\t', '  ').replaceAll('\n', ' '));
  return look?.colorsOf?.(shown.join('\n'), path) ?? shown.map((text) => [plain(text)]);
}

/** A small diff: lines of the quotation that stay the same at its beginning and end are left out. */
function renderReplacement(finding: Finding, style: FindingStyle): readonly string[] {
  const { replacement } = finding;
  if (replacement === undefined) return [];
  if (replacement === '') return [`  ${removesLines}`];
  const { removed, added } = changedLines(markedLines(finding, style), replacement.split('\n'));
  const render = (lines: readonly string[], sign: '-' | '+') =>
    colorsFor(lines, finding, style).map((code) => {
      const spans = [plain('  '), styled(sign, sign === '+' ? 'green' : 'red'), plain(' '), ...code];
      return paintLine(cutSpans(trimEnd(spans), style.columns), style.paint);
    });
  return ['  Replacement:', ...render(removed, '-'), ...render(added, '+')];
}

/** Returns the lines that the replacement replaces, as the file has them. */
function markedLines(finding: Finding, { contextOf }: FindingStyle): readonly string[] {
  return contextOf(finding)
    .filter(({ marked, kind }) => marked && kind !== 'removed')
    .map(({ text }) => text);
}

function changedLines(before: readonly string[], after: readonly string[]) {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const between = (lines: readonly string[]) => lines.slice(first, lines.length - last);
  return { removed: between(before), added: between(after) };
}

function quotedLines({ quote, side }: Finding): readonly ContextLine[] {
  if (quote === null) return [];
  const kind = side === 'old' ? 'removed' : 'context';
  return quote
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => ({ number: null, kind, text, marked: true }));
}

function labelled(label: string, text: string, style: FindingStyle): readonly string[] {
  const said = printable(text).replaceAll('\t', '  ').trim();
  if (said === '') return [];
  const opensBlock = /^(?:[-*+>#|]|\d+[.)])\s|^(?:`{3}|~{3})/.test(said);
  const separator = opensBlock && style.look?.renderMarkdown !== undefined ? '\n\n' : ' ';
  return renderProse(`${label}:${separator}${said}`, style, { first: proseIndent, rest: proseIndent });
}

const proseIndent = '  ';

export type ProseStyle = Pick<FindingStyle, 'columns' | 'paint' | 'look'>;

/** Renders Markdown if the look does; then each line is indented. */
export function renderProse(
  text: string,
  { columns, paint, look }: ProseStyle,
  indents: { readonly first: string; readonly rest: string },
): readonly string[] {
  const width = columns - indents.rest.length;
  const lines =
    look?.renderMarkdown?.(text, width).map((line) => paintLine(line, paint)) ?? wrapToWidth(text, width);
  return lines.map((line, index) => ((index === 0 ? indents.first : indents.rest) + line).trimEnd());
}
