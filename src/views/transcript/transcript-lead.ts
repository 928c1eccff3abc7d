/** Renders one turn of the lead in the transcript: its last text, errors, and its decision on the recommendation. */
import type { CollabEventOf } from '../../events/collab-event.ts';
import { renderCount } from '../../text/quantities.ts';
import { foreignCode, foreignText, type Block } from './foreign-markdown.ts';
import { heading, paragraph, text } from './markdown-nodes.ts';
import { sectionOf } from '../reports/markdown-section.ts';
import { quote, strongWords } from './transcript-quote.ts';

type Said = CollabEventOf<'text.end'> | CollabEventOf<'error'>;

export interface LeadEntry {
  push(event: Said): void;
  blocks(): readonly Block[];
}

export function createLeadEntry(first: Said): LeadEntry {
  const { step, agent } = first;
  const texts: string[] = [];
  const faults: string[] = [];
  return {
    push(event) {
      if (event.type === 'error') faults.push(event.message);
      else texts.push(event.text);
    },
    blocks: () => [
      heading(3, [text(titleOf(step)), text(', '), foreignCode(agent.provider)]),
      ...saidBlocks(texts, isSettling(step)),
      ...faults.map((fault) => paragraph([text('Error: '), ...foreignText(fault)])),
    ],
  };
}

function saidBlocks(texts: readonly string[], settles: boolean): readonly Block[] {
  const last = texts.at(-1);
  if (last === undefined) return [];
  const before = texts.length - 1;
  return [
    ...(before === 0 ? [] : [paragraph([text(`${renderCount(before, 'remark')} while it worked, then:`)])]),
    quote(last),
    ...decisionBlocks(last, settles),
  ];
}

const works: ReadonlyMap<string, string> = new Map([
  ['draft', 'The lead drafts'],
  ['settle', 'The lead settles'],
  ['implement', 'The lead implements'],
]);

/** Steps look like `design/1/draft-1/turn-1`. */
function titleOf(step: string | undefined): string {
  return works.get(workOf(step)) ?? 'The lead says';
}

function isSettling(step: string | undefined): boolean {
  return workOf(step) === 'settle';
}

function workOf(step = ''): string {
  return /(?:^|\/)([a-z_]+)(?:-\d+)?\/turn-\d+$/.exec(step)?.[1] ?? '';
}

function decisionBlocks(said: string, settles: boolean): readonly Block[] {
  const decision = settles ? sectionOf(said, 'DECISION') : null;
  if (decision === null) return [];
  return [
    paragraph([strongWords('Decision'), text(' on the '), foreignCode('RECOMMENDATION'), text(':')]),
    quote(decision),
  ];
}
