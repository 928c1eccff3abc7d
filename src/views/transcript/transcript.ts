/** Renders `transcript.md`: each request of a run with its answer and the decisions; a fold over its events. */
import type { CollabEventOf, CollabEvent } from '../../events/collab-event.ts';
import { renderDocument, paragraph, heading, text } from './markdown-nodes.ts';
import { foreignCode, foreignText, type Block } from './foreign-markdown.ts';
import { transcriptFindings, endBlocks, planBlocks } from './transcript-end.ts';
import { createExchangeEntry, type ExchangeEntry } from './transcript-exchange.ts';
import { createLeadEntry, type LeadEntry } from './transcript-lead.ts';
import { questionBlocks } from './transcript-question.ts';

/** Foreign text is in quotes and in code, and opens nothing outside of them. */
export function renderTranscript(events: readonly CollabEvent[]): string {
  const blocks = entriesOf(events).flatMap((entry) => entry());
  return renderDocument([...headBlocks(events), ...blocks, ...endBlocks(events)]);
}

/** Rendered after all events: those of an exchange may be interleaved with others. */
type Entry = () => readonly Block[];

function entriesOf(events: readonly CollabEvent[]): readonly Entry[] {
  const entries: Entry[] = [];
  const exchanges = new Map<string, ExchangeEntry>();
  const turns = new Map<string, LeadEntry>();
  const answers = new Map<string, CollabEventOf<'question.answered'>>();
  const findings = new Map<string, CollabEventOf<'finding.reported'>[]>();
  const judged = new Map<string, CollabEventOf<'finding.judged'>>();
  const prompts = numberPrompts(events);

  for (const event of withoutLostAttempts(events)) {
    const exchange = event.exchange_id;
    if (event.type === 'question.answered') answers.set(event.name, event);
    else if (event.type === 'question.asked')
      entries.push(() => questionBlocks(event, answers.get(event.name)));
    else if (event.type === 'finding.judged') judged.set(event.id, event);
    else if (event.type === 'finding.reported') {
      const known = findings.get(event.step ?? '');
      const reported = known ?? [];
      if (known === undefined) entries.push(() => transcriptFindings(reported, judged));
      findings.set(event.step ?? '', reported);
      reported.push(event);
    } else if (event.type.startsWith('exchange.') && exchange !== undefined) {
      entryOf(exchanges, exchange, () => createExchangeEntry(exchange, prompts)).push(event);
    } else if (isOfLeadTurn(event) && exchange === undefined) {
      entryOf(turns, event.step ?? '', () => createLeadEntry(event)).push(event);
    } else {
      const blocks = simpleBlocks(event);
      if (blocks.length > 0) entries.push(() => blocks);
    }
  }
  return entries;

  function entryOf<Made extends { readonly blocks: Entry }>(
    made: Map<string, Made>,
    name: string,
    create: () => Made,
  ): Made {
    const known = made.get(name);
    if (known !== undefined) return known;
    const entry = create();
    made.set(name, entry);
    entries.push(() => entry.blocks());
    return entry;
  }
}

function isOfLeadTurn(event: CollabEvent): event is CollabEventOf<'text.end'> | CollabEventOf<'error'> {
  if (event.agent.role !== 'lead') return false;
  return event.type === 'text.end' || (event.type === 'error' && event.step !== undefined);
}

function simpleBlocks(event: CollabEvent): readonly Block[] {
  if (event.type === 'phase.started') {
    return [heading(2, [text(`Phase ${event.phase}, round ${event.round}`)])];
  }
  if (event.type === 'phase.ended') {
    const name = `The phase ${event.phase}, round ${event.round}, ended: `;
    return [paragraph([text(name), ...foreignText(event.result)])];
  }
  if (event.type === 'review.planned') return planBlocks(event);
  return [];
}

/** Returns the numbers that `collab show --prompt` accepts. */
function numberPrompts(events: readonly CollabEvent[]): ReadonlyMap<number, number> {
  const sent = events.filter(({ type }) => type === 'exchange.sent');
  return new Map(sent.map(({ seq }, index) => [seq, index + 1]));
}

function headBlocks([first]: readonly CollabEvent[]): readonly Block[] {
  if (first === undefined) return [heading(1, [text('Transcript')]), paragraph([text('Nothing happened.')])];
  return [
    heading(1, [text('Transcript of '), foreignCode(first.run_id)]),
    paragraph([
      text(
        `Started ${first.ts.slice(0, 19)} UTC. Text from agents, people and files is quoted or in code blocks.`,
      ),
    ]),
  ];
}

/** Drops the events of an attempt that was lost with its process: a later attempt repeats them. */
function withoutLostAttempts(events: readonly CollabEvent[]): readonly CollabEvent[] {
  const begunAt = new Map<string, number>();
  const lost = new Set<CollabEvent>();
  events.forEach((event, index) => {
    if (event.type === 'step.begun') begunAt.set(event.step, index);
    if (event.type !== 'step.abandoned' || event.reason === 'refused') return;
    for (const told of events.slice(begunAt.get(event.step) ?? index, index)) {
      if (told.step === event.step) lost.add(told);
    }
  });
  return events.filter((event) => !lost.has(event));
}
