/** The findings of all answers of the corpus are placed on the lines that they are about. */
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { answers, shapes, type Content, type Shape } from '../../parsers/issues/issue-corpus.test-helper.ts';
import { readIssues } from '../../parsers/issues/read-issues.ts';
import { placeIssue } from './anchors.ts';
import { mergeFindings } from './merge.ts';

const quoting = shapes.filter(({ lacks }) => !lacks?.includes('quote'));

test.each(quoting)('$name: each finding is on its line, with its class and its replacement', (shape) => {
  const ofShape = answers.filter((answer) => answer.shape.name === shape.name);
  for (const { name, text, language } of ofShape) {
    const expected = language.contents.map((content) => expectedOf(content, shape)).toSorted(byPlace);
    expect([name, findingsIn(text, language.contents)]).toEqual([name, expected]);
  }
});

function expectedOf(content: Content, { reads }: Shape) {
  const { quote = content.quote, claim, replacement } = reads?.(content) ?? {};
  const isCut = /…|\.\.\./.test(quote ?? '');
  return {
    at: `${content.path}:${content.line}`,
    placement: isCut ? 'loose' : 'exact',
    quote: content.quote,
    claim: claim ?? null,
    replacement: replacement ?? null,
  };
}

function findingsIn(text: string, contents: readonly Content[]) {
  const reading = readIssues(text);
  if (reading.kind !== 'read') throw new Error(reading.kind);
  const { files } = parseUnifiedDiff(contents.map(diffOf).join(''));
  const placed = reading.issues.map((issue) => ({ issue, place: placeIssue(issue, files) }));
  return mergeFindings([placed])
    .map(({ path, start_line, placement, quote, claim, replacement }) => ({
      at: `${path}:${start_line}`,
      placement,
      quote,
      claim: claim ?? null,
      replacement: replacement ?? null,
    }))
    .toSorted(byPlace);
}

function byPlace(one: { readonly at: string }, other: { readonly at: string }): number {
  return one.at < other.at ? -1 : 1;
}

/** The quoted line between others. */
function diffOf({ path, line, quote }: Content): string {
  const lines = [' first();', `+${quote}`, ' last();'];
  return [`--- a/${path}`, `+++ b/${path}`, `@@ -${line - 1},2 +${line - 1},3 @@`, ...lines, ''].join('\n');
}
