import type { RequestTag } from '../../tags/tags.ts';
import type { AnswerBlock, Reading, ReviewIssue } from './answer-types.ts';
import { contentWords, lexicalOverlap } from '../../text/lexical-overlap.ts';
import { namesAny, namesOfRequest } from './request-names.ts';
import type { DiffFile } from '../diff/types.ts';

export interface RelevanceInput {
  readonly reading: Reading;
  /** The whole answer. */
  readonly text: string;
  /** The request's content, without the protocol's own words. */
  readonly request: {
    readonly tag: RequestTag;
    readonly question: string;
    readonly required: readonly { readonly text: string }[];
    readonly optional: readonly { readonly text: string }[];
    readonly related?: readonly { readonly text: string }[];
    readonly change: readonly DiffFile[] | null;
  };
  /** The minimum lexical overlap of an answer that names nothing from the request; 0 to 1, default 0.05. */
  readonly threshold?: number;
}

export type Relevance =
  | { readonly irrelevant: false }
  | { readonly irrelevant: true; readonly reason: string; readonly score: number };

const defaultThreshold = 0.05;
/** A block with fewer words than this is too short to be called off topic: it is incomplete. */
const leastWords = 12;
/** A text that only waits for a task or declines it is short. In characters. */
const longestIdleText = 800;
const idleText = [
  /\b(?:how|what) (?:can|may|could|would) (?:i|you like me to) (?:help|assist|do)\b/i,
  /\b(?:i['’]m|i am) ready to (?:help|assist|review|start)\b/i,
  /\bplease (?:provide|share|send|paste)\b.*\b(?:diff|code|change|changes|file|files|request|details|task|context)\b/i,
  /\b(?:what|which) (?:task|code|change|files?) (?:would|should|do) (?:you|i)\b/i,
  /\b(?:sorry|apologi[sz]e|unfortunately)\b[^.!?]*\bi(?:['’]m| am)? (?:can(?:['’]|no)t|unable|not able)\b/i,
  /\bi(?: can(?:['’]t|not| not)| am unable to|['’]m unable to| won['’]t) (?:help|assist|comply|do that|review|fulfil)/i,
  /(?:何|どのよう)か?(?:に|を)?お?(?:手伝い|力になれ|役に立て)/,
  /申し訳(?:ありません|ございません).*できません/s,
];

/**
 * Judges relevance deterministically (X001-11): another tag, a text that waits or declines, or a block about something
 * else.
 */
export function judgeRelevance(input: RelevanceInput): Relevance {
  const { reading, text } = input;
  if (reading.kind === 'other_tag') return irrelevant(`it answers ${reading.found}`, 0);
  if (reading.kind !== 'whole' && isIdle(text)) return irrelevant('it waits for a task or declines it', 0);
  if (reading.kind !== 'whole' && reading.kind !== 'incomplete' && reading.kind !== 'malformed') {
    return { irrelevant: false };
  }
  const judgedByWords =
    input.request.tag === '[REQUEST:REVIEW]' || input.request.tag === '[CONSULT:IMPLEMENTATION]';
  if (!judgedByWords || (reading.kind === 'whole' && reading.issues?.length === 0))
    return { irrelevant: false };
  return judgeWords(input, reading.block);
}

/** Calls a block off topic only if it names nothing from the request and hardly shares a word with it. */
function judgeWords(
  { reading, request, threshold = defaultThreshold }: RelevanceInput,
  block: AnswerBlock,
): Relevance {
  const { question, required, optional, related = [] } = request;
  const texts = [question, ...[...required, ...optional, ...related].map(({ text }) => text)];
  const change = request.change ?? [];
  const said = [block.preamble, ...block.sections.map(({ text }) => text)].join('\n');
  if (new Set(contentWords(said)).size < leastWords) return { irrelevant: false };
  if (namesAny(said, namesOfRequest(texts, change))) return { irrelevant: false };
  const code = change.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map((line) => line.text)));
  if (reading.kind === 'whole' && (reading.issues ?? []).some((issue) => quotes(issue, code))) {
    return { irrelevant: false };
  }
  const score = lexicalOverlap(said, [...texts, ...code].join('\n'));
  if (score >= threshold) return { irrelevant: false };
  return irrelevant(
    'it names no file, symbol or line of the request and hardly shares a word with it',
    score,
  );
}

function quotes({ quote }: ReviewIssue, code: readonly string[]): boolean {
  const quoted = (quote?.text ?? '').split('\n').map(squeezed);
  const known = new Set(code.map(squeezed));
  return quoted.some((line) => line.length > 3 && known.has(line));
}

function squeezed(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim();
}

function isIdle(text: string): boolean {
  return text.length <= longestIdleText && idleText.some((pattern) => pattern.test(text));
}

function irrelevant(reason: string, score: number): Relevance {
  return { irrelevant: true, reason, score };
}
