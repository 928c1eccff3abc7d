/** The largest answers of hostile shapes: an unbounded reading never ends here. */
import { expect, test } from 'vitest';
import { maxAnswerBytes, sizeProblem } from '../markdown/answer-size.ts';
import { readAnswer } from './read-answer.ts';

const marker = '[RESPONSE:REVIEW]';

test.each([
  ['one word', 'a'],
  ['brackets', '['],
  ['pairs of brackets', '[a]'],
  ['links in links', '[a]('],
  ['images in images', '!['],
  ['emphasis', '***a'],
  ['code spans', '`a``b'],
  ['autolinks', '<http://a'],
  ['HTML tags', '<a b="'],
  ['comments', '<!--'],
  ['entities', '&amp;'],
  ['escapes', '\\*'],
  ['spaces', ' '],
  ['tags in prose', `x ${marker} `],
  ['lists in a list', '- a\n'],
  ['numbers', '1. a\n'],
  ['quotes', '> a\n'],
  ['headings', '# a\n'],
  ['severity headings', '### Important\n'],
  ['underlined headings', 'a\n===\n'],
  ['definitions', '[a]: /u\n'],
  ['fences', '```\na\n```\n'],
  ['open fences', '```a\n'],
  ['tables', '| a |\n|---|\n| b |\n\n'],
  ['markers', `${marker}\n`],
  ['hidden markers', `<details>\n\n${marker}\n\n</details>\n\n`],
  ['sections', '## ISSUES\nNone\n'],
  ['closing lines', 'END abcdefgh\n'],
  ['labels', '   Why: a\n'],
  ['titles', '**Important** a.ts:1\n'],
  ['a paragraph with marks and tags', `[a](\`b <c\n${marker}\na\n`],
])('an answer of %s has a reading', (_name, unit) => {
  const text = largestOf(unit);
  expect(['whole', 'incomplete', 'malformed', 'marker_absent', 'reverse_request']).toContain(
    readAnswer(text, marker, undefined, 'abcdefgh').kind,
  );
});

test.each([
  ['100,000 list items', '- a\n'.repeat(100_000)],
  ['100,000 fences', '```\na\n```\n'.repeat(100_000)],
  ['a million quote marks', '>'.repeat(1_000_000)],
  ['a line of 3 MB', 'a'.repeat(3_000_000)],
  ['a table of 20,000 columns', ['|a', '|-', '|b'].map((cell) => cell.repeat(20_000)).join('|\n')],
  ['20 MB', 'The total is rounded too early.\n'.repeat(650_000)],
])('an answer of %s is refused unread', (_name, text) => {
  expect(readAnswer(answer(text), marker).kind).toBe('too_large');
});

/** Returns the largest answer of this unit that is read. */
function largestOf(unit: string): string {
  let count = Math.floor((maxAnswerBytes - 300) / unit.length);
  while (sizeProblem(answer(unit.repeat(count))) !== null) count = Math.floor(count * 0.98);
  return answer(unit.repeat(count));
}

function answer(text: string): string {
  return `${marker}\n\n## STRENGTHS\n- ok\n\n## ISSUES\n### Important\n${text}\n\n## SUGGESTIONS\nNone\n`;
}
