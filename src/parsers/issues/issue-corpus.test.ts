import { describe, expect, test } from 'vitest';
import { severities, type Severity } from '../../tags/severities.ts';
import type { ReviewIssue } from '../answers/answer-types.ts';
import {
  heads,
  languages,
  shapes,
  wrappings,
  type Language,
  type Shape,
} from './issue-corpus.test-helper.ts';
import { readIssues } from './read-issues.ts';

/** Each shape in each language, with the severities, headings and line ends in turn. */
const answers = shapes.flatMap((shape, row) =>
  languages.flatMap((language, column) =>
    Object.entries(wrappings).map(([wrapping, wrap], depth) => {
      const severity = severities[(row + column) % severities.length] ?? 'minor';
      const entries = Object.entries(heads);
      const [name = '', head] = entries[(row + column + depth) % entries.length] ?? [];
      const text = wrap(`${head?.(severity) ?? ''}\n\n${shape.write(language, severity)}\n`);
      return {
        name: `${shape.name}, ${language.name}, ${name} heading, ${wrapping}`,
        text,
        shape,
        language,
        severity,
      };
    }),
  ),
);

test('the corpus has at least 300 different answers', () => {
  expect(new Set(answers.map(({ text }) => text)).size).toBeGreaterThanOrEqual(300);
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

type Told = Readonly<Record<string, unknown>>;

function findingsOf({ contents }: Language, severity: Severity, shape: Shape): readonly Told[] {
  return contents.map(({ title, path, line, quote, fix }) =>
    without({ severity, title, place: `${path}:${line}`, quote, fix }, shape),
  );
}

function findingsIn(text: string, shape: Shape): readonly Told[] | string {
  const reading = readIssues(text);
  return reading.kind === 'read'
    ? reading.issues.map((issue) => without(toldOf(issue), shape))
    : reading.kind;
}

function toldOf({ severity, title, location, quote, remedy }: ReviewIssue): Told {
  const place = location === null ? null : `${location.path}:${location.startLine}`;
  return { severity, title, place, quote: quote?.text ?? null, fix: remedy };
}

function without(told: Told, { lacks = [] }: Shape): Told {
  return Object.fromEntries(
    Object.entries(told).filter(([key]) => !lacks.some((lacking) => lacking === key)),
  );
}
