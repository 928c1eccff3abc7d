/** Reads the answer of one exchange and computes the places of its issues from their quotations. */
import type { AnswerBlock, ReviewIssue } from '../../parsers/answers/answer-types.ts';
import { readIssues } from '../../parsers/issues/read-issues.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import {
  placeIssue,
  searchedIssue,
  type FindingPlace,
  type SearchedIssue,
} from '../../review/findings/anchors.ts';
import type { ChunkAnswer } from '../../review/findings/merge.ts';
import { splitNotes } from '../../review/findings/notes.ts';
import { nameOfPass } from '../../prompts/review/passes.ts';
import type { ExchangeOutput } from '../exchange/exchange-types.ts';

/** Includes a block that never became whole; its issues are listed if they can be read. */
export function placeAnswer(exchange: ExchangeOutput, files: readonly DiffFile[]): ChunkAnswer {
  const pass = nameOfPass(exchange.request.pass);
  return {
    placed: issuesOf(exchange).map((issue) => ({
      issue,
      place: placeIssue(issue, files),
      ...(pass === null ? {} : { pass }),
    })),
    strengths: notesOf(exchange.block, 'STRENGTHS'),
    suggestions: notesOf(exchange.block, 'SUGGESTIONS'),
  };
}

/** Returns the issues that may be outside the change, in the order of the answers. */
export function issuesToSearch(
  answers: readonly ChunkAnswer[],
  files: readonly DiffFile[],
): readonly SearchedIssue[] {
  return answers.flatMap(({ placed }) => placed.flatMap((issue) => searchedIssue(issue, files) ?? []));
}

/** Applies the places that were found outside, in that order; null for an issue that keeps its place. */
export function withPlaces(
  answers: readonly ChunkAnswer[],
  files: readonly DiffFile[],
  found: readonly (FindingPlace | null)[],
): readonly ChunkAnswer[] {
  const waiting = [...found];
  return answers.map((answer) => ({
    ...answer,
    placed: answer.placed.map((placed) =>
      searchedIssue(placed, files) === null ? placed : { ...placed, place: waiting.shift() ?? placed.place },
    ),
  }));
}

function issuesOf({ issues, block }: ExchangeOutput): readonly ReviewIssue[] {
  if (issues !== null) return issues;
  const section = block?.sections.find(({ name }) => name === 'ISSUES');
  const reading = section === undefined ? null : readIssues(section.text);
  return reading?.kind === 'read' ? reading.issues : [];
}

function notesOf(block: AnswerBlock | null, name: string): readonly string[] {
  const section = block?.sections.find((candidate) => candidate.name === name);
  return section === undefined || section.state === 'empty' ? [] : splitNotes(section.text);
}
