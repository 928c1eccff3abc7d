/** Renders the last part of the transcript: the findings, how the run ended, and its usage. */
import type { PhrasingContent } from 'mdast';
import type { CollabEvent, CollabEventOf, Finding } from '../../events/collab-event.ts';
import { inReportOrder, placeOfFinding } from '../../events/findings.ts';
import { usageByAgent } from '../../review/outcome/usage.ts';
import { renderCount, renderNumber } from '../../text/quantities.ts';
import { foreignCode, foreignText, type Block } from './foreign-markdown.ts';
import { bullets, heading, paragraph, text } from './markdown-nodes.ts';
import { strongWords } from './transcript-quote.ts';
import { usageTable } from './usage-table.ts';

export function planBlocks({
  files,
  lines,
  skipped,
  chunks,
}: CollabEventOf<'review.planned'>): readonly Block[] {
  const left = skipped.length === 0 ? '' : `; ${renderCount(skipped.length, 'file')} left out`;
  const what = `${renderCount(files, 'changed file')}, ${renderCount(lines, 'line')} to review`;
  return [
    heading(3, [text('The review is planned')]),
    paragraph([text(`${what}, ${renderCount(chunks.length, 'exchange')}${left}.`)]),
    ...(chunks.length === 0
      ? []
      : [
          bullets(
            chunks.map(({ name, paths }) => [paragraph([foreignCode(name), text(': '), ...listed(paths)])]),
          ),
        ]),
  ];
}

function listed(names: readonly string[]): readonly PhrasingContent[] {
  return names.flatMap((name, index) =>
    index === 0 ? [foreignCode(name)] : [text(', '), foreignCode(name)],
  );
}

export function transcriptFindings(
  reported: readonly CollabEventOf<'finding.reported'>[],
  judged: ReadonlyMap<string, CollabEventOf<'finding.judged'>>,
): readonly Block[] {
  const findings = inReportOrder(reported.map(({ finding }) => finding));
  return [
    heading(3, [text('Findings')]),
    bullets(findings.map((finding) => [paragraph(findingLine(finding, judged.get(finding.id)))])),
  ];
}

function findingLine(
  finding: Finding,
  judgement: CollabEventOf<'finding.judged'> | undefined,
): readonly PhrasingContent[] {
  const verdict = judgement?.verdict ?? finding.verdict;
  const evidence = judgement?.evidence ?? finding.evidence ?? '';
  return [
    strongWords(finding.severity),
    text(' '),
    ...foreignText(finding.title),
    text(', '),
    foreignCode(placeOfFinding(finding)),
    text(`, ${verdict}`),
    ...(judgement?.cached === undefined ? [] : [text(' in run '), foreignCode(judgement.cached.run_id)]),
    ...(evidence === '' ? [] : [text(': '), ...foreignText(evidence)]),
  ];
}

export function endBlocks(events: readonly CollabEvent[]): readonly Block[] {
  const usage = usageByAgent(events);
  return [
    heading(2, [text('How it ended')]),
    ...outcomeBlocks(events),
    ...(usage.length === 0 ? [] : [heading(2, [text('Usage')]), usageTable(usage), ...budgetBlocks(events)]),
  ];
}

function outcomeBlocks(events: readonly CollabEvent[]): readonly Block[] {
  const ended = events.findLast((event) => event.type === 'run.ended');
  if (ended === undefined) {
    return [
      paragraph([
        text('The record has no end: the run continues, waits, was interrupted or can be resumed.'),
      ]),
    ];
  }
  const outcome = ended.outcome === null ? ended.status : `${ended.status}, ${ended.outcome}`;
  const said = [...ended.reasons, ...ended.errors];
  return [
    paragraph([strongWords(outcome), text(` after ${renderCount(ended.turns, 'turn')}.`)]),
    ...(said.length === 0 ? [] : [bullets(said.map((line) => [paragraph(foreignText(line))]))]),
  ];
}

function budgetBlocks(events: readonly CollabEvent[]): readonly Block[] {
  const last = new Map<string, CollabEventOf<'budget'>>();
  for (const event of events) if (event.type === 'budget') last.set(event.unit ?? '', event);
  return [...last.values()].map(({ spent, left, unit }) => {
    const amount = (value: number) => (unit === 'usd' ? `$${value.toFixed(4)}` : renderNumber(value));
    const rest = left === null ? '' : `, ${amount(left)} left`;
    return paragraph([text(`Budget: ${amount(spent)} spent${rest}.`)]);
  });
}
