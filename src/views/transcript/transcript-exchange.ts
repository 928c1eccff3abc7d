/** Renders one exchange of the transcript: the request, its attempts, the reverse requests, and the answer's sections. */
import type { CollabEvent, CollabEventOf, ExchangeAction } from '../../events/collab-event.ts';
import { renderCount } from '../../text/quantities.ts';
import { foreignCode, foreignText, type Block } from './foreign-markdown.ts';
import { bullets, heading, paragraph, text } from './markdown-nodes.ts';
import { quote, strongWords } from './transcript-quote.ts';

export interface ExchangeEntry {
  push(event: CollabEvent): void;
  blocks(): readonly Block[];
}

/** `prompts`: the number of each prompt by the `seq` of its record. */
export function createExchangeEntry(id: string, prompts: ReadonlyMap<number, number>): ExchangeEntry {
  const heard: CollabEvent[] = [];
  return {
    push: (event) => void heard.push(event),
    blocks: () => [...requestBlocks(id, heard), ...heard.flatMap((event) => eventBlocks(event, prompts))],
  };
}

function requestBlocks(id: string, heard: readonly CollabEvent[]): readonly Block[] {
  const sent = heard.find((event) => event.type === 'exchange.sent');
  const title = sent === undefined ? [text('Exchange')] : [foreignCode(sent.tag)];
  const head = heading(3, [...title, text(', '), foreignCode(id)]);
  if (sent === undefined) return [head];
  return [
    head,
    paragraph([text('Asked of '), foreignCode(sent.agent.provider), text(':')]),
    ...(sent.question === undefined ? [] : [quote(sent.question)]),
    ...fileBlocks(sent),
  ];
}

function fileBlocks({ files = [] }: CollabEventOf<'exchange.sent'>): readonly Block[] {
  if (files.length === 0) return [];
  return [
    paragraph([text('About the change of:')]),
    bullets(
      files.map(({ path, lines }) => [
        paragraph([foreignCode(path), text(`, ${renderCount(lines, 'changed line')}`)]),
      ]),
    ),
  ];
}

function eventBlocks(event: CollabEvent, prompts: ReadonlyMap<number, number>): readonly Block[] {
  switch (event.type) {
    case 'exchange.sent':
      return [attempt(event, prompts.get(event.seq) ?? null)];
    case 'exchange.rejected':
      return [rejection(event)];
    case 'exchange.received':
      return answer(event);
    case 'exchange.asked_back':
      return [
        paragraph([strongWords('The advisor asks back'), text(' with '), foreignCode(event.tag), text(':')]),
        quote(event.text),
      ];
    case 'exchange.answered_back':
      return answeredBack(event);
    case 'exchange.ended':
      return [
        paragraph([
          text(`The exchange is ${event.outcome} after ${renderCount(event.attempts, 'attempt')}.`),
        ]),
      ];
    default:
      return [];
  }
}

function attempt(event: CollabEventOf<'exchange.sent'>, prompt: number | null): Block {
  if (event.cached !== undefined) {
    const { run_id: run, answered_at: at } = event.cached;
    return paragraph([
      strongWords('No agent was called'),
      text(`: unchanged since run `),
      foreignCode(run),
      text(` was answered at ${at}.`),
    ]);
  }
  const where = prompt === null ? '' : `; collab show --prompt ${prompt} prints it`;
  return paragraph([
    strongWords(`Attempt ${event.attempt}`),
    text(`: a prompt of ${renderCount(event.prompt_bytes, 'byte')}${where}.`),
    ...(event.cache_fault === undefined ? [] : [text(` Asked, because ${event.cache_fault}.`)]),
  ]);
}

function rejection({ reason, detail, action }: CollabEventOf<'exchange.rejected'>): Block {
  const why = detail === '' ? [] : [text(' ('), ...foreignText(detail), text(')')];
  return paragraph([
    strongWords('Not taken'),
    text(`: ${reason.replaceAll('_', ' ')}`),
    ...why,
    text(`; ${actionWords[action]}.`),
  ]);
}

const actionWords: Readonly<Record<ExchangeAction, string>> = {
  repairing: 'the structure is asked for again',
  completing: 'the missing or unreadable sections are asked for',
  recontextualising: 'the context is given again',
  answering: 'the question is answered',
  shortening: 'a shorter prompt is sent',
  waiting: 'it is repeated after a wait',
  settled: 'it is settled',
  exhausted: 'nothing is left to try',
  unavailable: 'the agent is not available',
};

function answer({
  tag,
  sections,
  merged_from: merged,
}: CollabEventOf<'exchange.received'>): readonly Block[] {
  const from = merged === undefined ? '' : `, joined from the attempts ${merged.join(', ')}`;
  return [
    paragraph([strongWords('The answer'), text(' '), foreignCode(tag), text(`${from}:`)]),
    ...Object.entries(sections).flatMap(([name, said]) => [paragraph([foreignCode(name)]), quote(said)]),
  ];
}

function answeredBack({
  by,
  declined,
  text: said,
}: CollabEventOf<'exchange.answered_back'>): readonly Block[] {
  if (declined !== undefined) {
    return [
      paragraph([strongWords(`Declined by ${answererNames[by]}`), text(': '), ...foreignText(declined)]),
      ...(said === '' ? [] : [quote(said)]),
    ];
  }
  return [paragraph([strongWords(`Answered by ${answererNames[by]}`), text(':')]), quote(said)];
}

export const answererNames: Readonly<Record<'user' | 'lead' | 'caller' | 'policy', string>> = {
  user: 'the user',
  lead: 'the lead',
  caller: 'the caller',
  policy: 'policy, without a question',
};
