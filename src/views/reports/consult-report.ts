/** Renders the answer of a consult for its lead: sections on standard output, and how it ended. */
import { remark } from 'remark';
import type { Root } from 'mdast';
import { createPaint } from '../../text/paint.ts';
import { renderCount } from '../../text/quantities.ts';
import type { ConsultResult } from '../../review/outcome/consult-result.ts';
import { foreignBlocks, foreignText } from '../transcript/foreign-markdown.ts';
import { printable } from './foreign-text.ts';
import { renderStoredJson } from './json-report.ts';
import type { ConsultFormat } from './report-formats.ts';

export interface ConsultReportOptions {
  readonly color: boolean;
  readonly ascii?: boolean;
}

export function renderConsult(
  format: ConsultFormat,
  result: ConsultResult,
  options: ConsultReportOptions,
): string {
  switch (format) {
    case 'terminal':
      return renderForTerminal(result, options);
    case 'json':
      return renderStoredJson(result);
    case 'markdown':
      return renderAsMarkdown(result);
  }
}

/** The answer's words stay unchanged: the reader quotes and uses them. */
function renderForTerminal(result: ConsultResult, { color, ascii = false }: ConsultReportOptions): string {
  const paint = createPaint(color);
  const blocks = [
    ...(result.sections.length === 0 ? [] : [paint.bold(result.answer_tag)]),
    ...result.sections.map(({ name, text }) => `${paint.bold(`## ${name}`)}\n\n${printable(text)}`),
    [headline(result), ...details(result).map((line) => `  ${printable(line)}`)].join('\n'),
  ];
  const text = `${blocks.join('\n\n')}\n`;
  return ascii ? text.replaceAll(' — ', ' - ') : text;
}

function renderAsMarkdown(result: ConsultResult): string {
  const root: Root = {
    type: 'root',
    children: [
      heading(1, `Consult on ${result.phase}: ${headline(result)}`),
      ...details(result).map((line): Root['children'][number] => ({
        type: 'paragraph',
        children: [...foreignText(line)],
      })),
      ...result.sections.flatMap(({ name, text }) => [heading(2, name), ...foreignBlocks(text)]),
    ],
  };
  return remark().data('settings', { bullet: '-', rule: '-', fences: true }).stringify(root);
}

function heading(depth: 1 | 2, value: string): Root['children'][number] {
  return { type: 'heading', depth, children: [{ type: 'text', value }] };
}

function headline(result: ConsultResult): string {
  const { outcome, missing, sections } = result;
  switch (outcome) {
    case 'settled':
      return `settled — ${renderCount(sections.length, 'section')} from ${advisorOf(result)}`;
    case 'exhausted':
      return missing.length === 0 || sections.length === 0
        ? `exhausted — no whole answer from ${advisorOf(result)}`
        : `exhausted — the answer has no ${missing.join(', ')}`;
    case 'unavailable':
      return `unavailable — ${advisorOf(result)} could not answer`;
    case 'cancelled':
      return 'cancelled';
    case 'unfinished':
      return `not finished (${result.state})`;
  }
}

function advisorOf({ advisor: { provider, model } }: ConsultResult): string {
  return model === null ? provider : `${provider} (${model})`;
}

function details({ reasons, asked_back, run_id, outcome, state }: ConsultResult): readonly string[] {
  const declined = asked_back.filter((asked) => asked.declined !== null).length;
  return [
    ...reasons,
    ...(asked_back.length === 0
      ? []
      : [`asked back ${renderCount(asked_back.length, 'time')}, ${declined} declined`]),
    `run ${run_id}${state === 'ended' && outcome !== 'settled' ? `: collab show ${run_id} --events tells what happened` : ''}`,
  ];
}
