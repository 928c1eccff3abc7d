import { measuringNonce } from './fence.ts';
import type { ConsultRequest, ContextPart } from './request.ts';
import { requestText } from './request-text.ts';
import { firstLines, hunkBoundaries, trimContext } from '../parsers/diff/trim-change.ts';
import { countWhile } from '../system/binary-search.ts';

export interface Reduction {
  readonly request: ConsultRequest;
  /** The parts that were dropped, in words for the run's record. */
  readonly dropped: readonly string[];
}

type Step = (request: ConsultRequest) => Reduction;

/**
 * Reduces a request until its text fits into `budgetCharacters`, in the fixed order of X001-10: files around the change, checklists, conventions, dismissed kinds and guide, optional context, then
 * the diff's unchanged lines, then long context in short, at last hunks from the end. Tag, question and section list
 * stay. A request that cannot be reduced further is returned although it is too long.
 */
export function fitRequest(request: ConsultRequest, budgetCharacters: number): Reduction {
  let reduced = request;
  const dropped = new Set<string>();
  for (const step of stepsFor(request, budgetCharacters)) {
    if (fits(reduced, budgetCharacters)) break;
    const next = step(reduced);
    reduced = next.request;
    for (const name of next.dropped) dropped.add(name);
  }
  return { request: reduced, dropped: [...dropped] };
}

function fits(request: ConsultRequest, budgetCharacters: number): boolean {
  return requestText(request, measuringNonce).text.length <= budgetCharacters;
}

function stepsFor(whole: ConsultRequest, budgetCharacters: number): readonly Step[] {
  return [
    dropRelated,
    dropChecklists,
    dropConventions,
    dropDismissed,
    dropGuide,
    ...whole.optional.map(() => dropLastOptional),
    ...[3, 1, 0].map((contextLines) => (request: ConsultRequest) => dropUnchanged(request, contextLines)),
    ...[4000, 1000, 300].map(
      (characters) => (request: ConsultRequest) => keepBeginnings(request, whole.required, characters),
    ),
    (request) => dropHunks(request, budgetCharacters),
  ];
}

function dropRelated({ related = [], ...rest }: ConsultRequest): Reduction {
  return { request: rest, dropped: related.map(({ title }) => `context: ${title}`) };
}

function dropChecklists({ checklists = [], ...rest }: ConsultRequest): Reduction {
  return { request: rest, dropped: checklists.map(({ title }) => `checklist: ${title}`) };
}

function dropConventions({ conventions = [], ...rest }: ConsultRequest): Reduction {
  return { request: rest, dropped: conventions.map(({ path }) => `convention: ${path}`) };
}

function dropDismissed({ dismissed = [], ...rest }: ConsultRequest): Reduction {
  return { request: rest, dropped: dismissed.length === 0 ? [] : ['what people dismissed'] };
}

function dropGuide({ guide, ...rest }: ConsultRequest): Reduction {
  return { request: rest, dropped: guide === undefined ? [] : ['the guide of the review'] };
}

function dropLastOptional(request: ConsultRequest): Reduction {
  const dropped = request.optional.slice(-1).map((part) => `context: ${part.title}`);
  return { request: { ...request, optional: request.optional.slice(0, -1) }, dropped };
}

function dropUnchanged(request: ConsultRequest, contextLines: number): Reduction {
  if (request.change === null) return { request, dropped: [] };
  const change = trimContext(request.change, contextLines);
  const same = hunkBoundaries(change).at(-1) === hunkBoundaries(request.change).at(-1);
  return { request: { ...request, change }, dropped: same ? [] : ['unchanged lines of the diff'] };
}

function keepBeginnings(
  request: ConsultRequest,
  whole: readonly ContextPart[],
  characters: number,
): Reduction {
  const long = whole.filter((part) => part.text.length > characters);
  return {
    request: {
      ...request,
      required: whole.map((part) => (long.includes(part) ? inShort(part, characters) : part)),
    },
    dropped: long.map((part) => `context: ${part.title}, all but its beginning`),
  };
}

function inShort(part: ContextPart, characters: number): ContextPart {
  const note = `\n[shortened from ${part.text.length} characters]`;
  const beginning = part.text.slice(0, characters - note.length).replace(/[\uD800-\uDBFF]$/, '');
  return { ...part, text: beginning + note };
}

/** Keeps as many whole hunks from the start as fit; if not even the first fits, as many of its lines. */
function dropHunks(request: ConsultRequest, budgetCharacters: number): Reduction {
  const change = request.change;
  const boundaries = change === null ? [] : hunkBoundaries(change);
  const first = boundaries[0];
  if (change === null || first === undefined) return { request, dropped: [] };
  const cut = (lines: number): ConsultRequest => ({ ...request, change: firstLines(change, lines) });
  const fitting = (counts: readonly number[]): number | undefined =>
    lastThat(counts, (lines) => fits(cut(lines), budgetCharacters));
  const linesOfFirst = Array.from({ length: first }, (_, index) => index + 1);
  const lines = fitting(boundaries) ?? fitting(linesOfFirst) ?? 1;
  return { request: cut(lines), dropped: [`the diff after its first ${lines} lines`] };
}

/** Returns the last of ascending `counts` that satisfies a condition; once false, the condition stays false. */
function lastThat(counts: readonly number[], condition: (count: number) => boolean): number | undefined {
  return counts[countWhile(counts.length, (index) => condition(counts[index] ?? 0)) - 1];
}
