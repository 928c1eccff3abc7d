import { expect, test } from 'vitest';
import { maxAnswerBytes } from '../markdown/answer-size.ts';
import { readReverseAnswer } from './read-reverse-answer.ts';

const verification = '[CONSULT:CLAUDE:VERIFICATION]';
const context = '[CONSULT:CLAUDE:CONTEXT]';

test.each([
  ['with its marker', '[RESPONSE:CLAUDE:VERIFICATION]\n\n## VERDICT\n\napprove\n\n## REASON\n\nIt holds.\n'],
  ['without the marker', '## VERDICT\napprove\n\n## REASON\nIt holds.'],
  ['with bold heads', '**VERDICT:**\n\nApprove.\n\n**REASON:**\n\nIt holds.'],
  ['behind a byte order mark', '\uFEFF## VERDICT\napprove\n## REASON\nIt holds.'],
  [
    'behind one, with its marker',
    '\uFEFF[RESPONSE:CLAUDE:VERIFICATION]\n## VERDICT\napprove\n## REASON\nIt holds.',
  ],
  [
    'of the last marker',
    '[RESPONSE:CLAUDE:VERIFICATION]\n## VERDICT\nreject\n## REASON\nno\n\n[RESPONSE:CLAUDE:VERIFICATION]\n## VERDICT\napprove\n## REASON\nIt holds.',
  ],
  ['with an emphasised word', '## VERDICT\n**Approve** with joy\n## REASON\nIt holds.'],
])('X001-7.1 a verification is read %s', (_how, text) => {
  expect(readReverseAnswer(text, verification)).toEqual({
    kind: 'answered',
    sections: { VERDICT: 'approve', REASON: 'It holds.' },
  });
});

test.each([
  ['## REASON\nIt holds.', 'has no section VERDICT'],
  ['Go ahead.', 'has no section VERDICT'],
  ['## VERDICT\nmaybe\n## REASON\nx', 'has the verdict "maybe"'],
  ['## VERDICT\nreject', 'has no section REASON'],
  ['## VERDICT\n42\n## REASON\nx', 'has the verdict "42"'],
  [`## VERDICT\n${'never '.repeat(9)}\n## REASON\nx`, `has the verdict "${'never '.repeat(7).slice(0, 40)}"`],
  ['## VERDICT\nrevised\n## REASON\nx', 'has the verdict "revised"'],
  ['[RESPONSE:CLAUDE:VERIFICATION]', 'has no section VERDICT'],
  ['\uFEFF \n', 'is empty'],
])('X001-7.1 the verification %j is not taken: it %s', (text, problem) => {
  expect(readReverseAnswer(text, verification)).toEqual({ kind: 'unreadable', problem });
});

test.each([
  ['free text', 'The table has a row for each currency.\n\n- JPY has none'],
  [
    'its section',
    '[RESPONSE:CLAUDE:CONTEXT]\n\n## CONTEXT\n\nThe table has a row for each currency.\n\n- JPY has none',
  ],
  [
    'what stands above its empty section',
    'The table has a row for each currency.\n\n- JPY has none\n\n## CONTEXT\n',
  ],
  [
    'text behind the marker',
    '[RESPONSE:CLAUDE:CONTEXT]: The table has a row for each currency.\n\n- JPY has none',
  ],
])('X001-7.2 context is taken from %s', (_how, text) => {
  expect(readReverseAnswer(text, context)).toEqual({
    kind: 'answered',
    sections: { CONTEXT: 'The table has a row for each currency.\n\n- JPY has none' },
  });
});

test.each([
  ['[RESPONSE:CLAUDE:CONTEXT]', 'is empty'],
  ['[RESPONSE:CLAUDE:CONTEXT]\n\n## CONTEXT\n', 'is empty'],
])('X001-7.2 the context %j is not taken: it %s', (text, problem) => {
  expect(readReverseAnswer(text, context)).toEqual({ kind: 'unreadable', problem });
});

test.each(['reject', 'revise'])('X001-7.1 the verdict %s is one', (verdict) => {
  expect(readReverseAnswer(`## VERDICT\n${verdict}, sadly\n## REASON\nx`, verification)).toEqual({
    kind: 'answered',
    sections: { VERDICT: verdict, REASON: 'x' },
  });
});

test('X001-7.2 free text may have headings of its own', () => {
  const text = 'It has rows.\n\n## Rows\n\n- JPY';
  expect(readReverseAnswer(text, context)).toEqual({ kind: 'answered', sections: { CONTEXT: text } });
});

test('X001-7.2 an answer ends where the next one begins', () => {
  const text = '[RESPONSE:CLAUDE:CONTEXT]\nfirst\nsecond\n\n[RESPONSE:DESIGN]\n\nanother';
  expect(readReverseAnswer(text, context)).toEqual({
    kind: 'answered',
    sections: { CONTEXT: 'first\nsecond' },
  });
});

test.each([verification, context, '[CONSULT:DESIGN]'])('X001-8 an answer that asks %s is nested', (tag) => {
  expect(readReverseAnswer(`Before that:\n\n${tag}\n\nWhy?`, context)).toEqual({ kind: 'nested', tag });
});

test('X001-14.1 a tag in quoted material asks nothing', () => {
  const text = `The file says:\n\n\`\`\`\n${context}\n\`\`\`\n\n> [CONSULT:DESIGN]`;
  expect(readReverseAnswer(text, context)).toMatchObject({ kind: 'answered' });
});

test('an answer above the limit is not read', () => {
  const most = 'a'.repeat(maxAnswerBytes);
  expect(readReverseAnswer(most, context)).toMatchObject({ kind: 'answered' });
  expect(readReverseAnswer(`${most}a`, context)).toEqual({
    kind: 'unreadable',
    problem: 'has 262145 bytes; 256 KiB is the limit',
  });
});
