/** Renders the answer of a consult for its lead: sections on standard output, and how it ended. */
import { createPaint } from '../../text/paint.ts';
import { renderCount } from '../../text/quantities.ts';
import type { ConsultResult } from '../../review/outcome/consult-result.ts';
import { foreignBlocks, foreignText } from '../transcript/foreign-markdown.ts';
import { heading, paragraph, renderDocument, text } from '../transcript/markdown-nodes.ts';
import { agentLabel } from '../screen/agent-label.ts';
import { printable } from './foreign-text.ts';
import { renderJson } from '../../text/render-json.ts';
import type { ConsultFormat } from './report-formats.ts';
import type { SummaryOptions } from './summary.ts';

export interface ConsultReportOptions extends SummaryOptions {
  readonly color: boolean;
  readonly ascii?: boolean;
  /** Renders the sections, for a person; without it, their words stay unchanged. */
  readonly renderMarkdown?: ((markdown: string) => string) | null;
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
      return renderJson(result);
    case 'markdown':
      return renderAsMarkdown(result, options);
  }
}

/** On a pipe the answer's words stay unchanged: the reader quotes and uses them. */
function renderForTerminal(
  result: ConsultResult,
  { color, ascii = false, renderMarkdown = null, ...options }: ConsultReportOptions,
): string {
  const paint = createPaint(color);
  const { sections, answer_tag: tag } = result;
  const answer =
    renderMarkdown === null
      ? [
          paint.bold(tag),
          ...sections.map(({ name, text }) => `${paint.bold(`## ${name}`)}\n\n${printable(text)}`),
        ]
      : sections.map(({ name, text }) => renderMarkdown(`## ${name}\n\n${text}`));
  const blocks = [
    ...(sections.length === 0 ? [] : answer),
    [headline(result), ...details(result, options).map((line) => `  ${printable(line)}`)].join('\n'),
  ];
  const text = `${blocks.join('\n\n')}\n`;
  return ascii ? text.replaceAll(' — ', ' - ') : text;
}

function renderAsMarkdown(result: ConsultResult, options: SummaryOptions): string {
  return renderDocument([
    heading(1, [text(`Consult on ${result.phase}: ${headline(result)}`)]),
    ...details(result, options).map((line) => paragraph(foreignText(line))),
    ...result.sections.flatMap((section) => [
      heading(2, [text(section.name)]),
      ...foreignBlocks(section.text),
    ]),
  ]);
}

function headline(result: ConsultResult): string {
  const { outcome, missing, sections } = result;
  switch (outcome) {
    case 'settled':
      return `settled — ${renderCount(sections.length, 'section')} from ${agentLabel(result.advisor)}`;
    case 'exhausted':
      return missing.length === 0 || sections.length === 0
        ? `exhausted — no whole answer from ${agentLabel(result.advisor)}`
        : `exhausted — the answer has no ${missing.join(', ')}`;
    case 'unavailable':
      return `unavailable — ${agentLabel(result.advisor)} could not answer`;
    case 'cancelled':
      return 'cancelled';
    case 'unfinished':
      return `not finished (${result.state})`;
  }
}

function details(
  { reasons, asked_back, run_id, outcome, state }: ConsultResult,
  { remote = '' }: SummaryOptions,
): readonly string[] {
  const declined = asked_back.filter((asked) => asked.declined !== null).length;
  return [
    ...reasons,
    ...(asked_back.length === 0
      ? []
      : [`asked back ${renderCount(asked_back.length, 'time')}, ${declined} declined`]),
    `run ${run_id}${state === 'ended' && outcome !== 'settled' ? `: collab show ${run_id}${remote} --events tells what happened` : ''}`,
  ];
}
