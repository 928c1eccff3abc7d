import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { headingText, readSectionHead, type SectionHead } from './section-head.ts';

const names = ['RISKS', 'OPEN_QUESTIONS'];

function headOf(text: string): SectionHead | null {
  const [line] = parseMarkdown(text).textLines.values();
  return line === undefined ? null : readSectionHead(line, names);
}

describe('X001-2.2-5 a section head', () => {
  test.each([
    ['# RISKS', 1],
    ['###### Risks', 6],
    ['## RISKS ##', 2],
    ['## 2.1 ⚠️ *Risks*:', 2],
    ['## Risks (open problems)', 2],
    ['## Risks（未解決）：', 2],
    ['## リスク (Risks)', 2],
    ['## リスク（ RISKS ）', 2],
    ['RISKS', 7],
    ['   RISKS', 7],
    ['RISKS:', 7],
    ['Risks：', 7],
    ['*Risks:*', 7],
    ['**Risks**', 7],
    ['__Risks__:', 7],
    ['***Risks***', 7],
    ['⚠️ **Risks** (open)', 7],
    ['**1. Risks**', 7],
    ['`RISKS`', 7],
  ])('%j opens RISKS at level %i', (text, level) => {
    expect(headOf(text)).toEqual({ name: 'RISKS', level });
  });

  test.each([
    '## OPEN_QUESTIONS',
    '## Open questions',
    '## open-questions',
    'OPEN QUESTIONS:',
    '## Open  questionss',
  ])('%j opens OPEN_QUESTIONS', (text) => {
    expect(headOf(text)?.name).toBe('OPEN_QUESTIONS');
  });

  test.each([
    '## Risks of it',
    '## No risks',
    '## リスク',
    '## (a) (Risks) b',
    'Risks',
    'risks',
    'the Risks:',
    '** Risks',
    'Risks are **low**',
    `## RISKS (${'x'.repeat(300)})`,
  ])('%j opens none', (text) => {
    expect(headOf(text)).toBeNull();
  });

  test('a line of more than three hundred characters is not a heading', () => {
    const longest = `## RISKS (${'x'.repeat(289)})`;
    expect([longest.length, headOf(longest), headOf(`${longest} `)]).toEqual([
      300,
      { name: 'RISKS', level: 2 },
      null,
    ]);
  });
});

test.each([
  ['## Title ##', 'Title'],
  ['  ###### Title', 'Title'],
  ['####### Title', '####### Title'],
  ['#Title', '#Title'],
  ['# C#', 'C#'],
  ['#\tTitle \t#', 'Title'],
])('the words of the heading %j are %j', (text, words) => {
  expect(headingText(text)).toBe(words);
});
