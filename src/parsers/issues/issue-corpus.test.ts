import { describe, expect, test } from 'vitest';
import type { Severity } from '../../tags/severities.ts';
import type { ReviewIssue } from '../answers/answer-types.ts';
import { answers, shapes, type Language, type ReadItem, type Shape } from './issue-corpus.test-helper.ts';
import { readIssues } from './read-issues.ts';

test('the corpus has at least 500 different answers', () => {
  expect(new Set(answers.map(({ text }) => text)).size).toBeGreaterThanOrEqual(500);
});

describe.each(shapes.map(({ name }) => name))('%s', (name) => {
  test('the findings that are read are those that were written', () => {
    const ofShape = answers.filter(({ shape }) => shape.name === name);
    const read = ofShape.map(({ name: of, text, shape }) => [of, findingsIn(text, shape)]);
    expect(read).toEqual(
      ofShape.map(({ name: of, shape, language, severity }) => [of, findingsOf(language, severity, shape)]),
    );
  });
});

function findingsOf({ contents }: Language, severity: Severity, shape: Shape): readonly Partial<ReadItem>[] {
  return contents.map((content) => {
    const { title, path, line, quote, fix } = content;
    const plain = { severity, title, place: `${path}:${line}`, quote, fix, claim: null, replacement: null };
    return without({ ...plain, ...shape.reads?.(content) }, shape);
  });
}

function findingsIn(text: string, shape: Shape): readonly Partial<ReadItem>[] | string {
  const reading = readIssues(text);
  return reading.kind === 'read'
    ? reading.issues.map((issue) => without(itemOf(issue), shape))
    : reading.kind;
}

function itemOf({ severity, title, location, quote, remedy, claim, replacement }: ReviewIssue): ReadItem {
  const place = location === null ? null : `${location.path}:${location.startLine}`;
  return {
    severity,
    title,
    place,
    quote: quote?.text ?? null,
    fix: remedy,
    claim: claim ?? null,
    replacement: replacement ?? null,
  };
}

function without(item: ReadItem, { lacks = [] }: Shape): Partial<ReadItem> {
  return Object.fromEntries(
    Object.entries(item).filter(([key]) => !lacks.some((lacking) => lacking === key)),
  );
}
