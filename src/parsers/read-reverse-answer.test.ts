import { expect, test } from 'vitest';
import { maxReverseAnswerBytes, readReverseAnswer } from './read-reverse-answer.ts';

const verification = '[CONSULT:CLAUDE:VERIFICATION]';
const context = '[CONSULT:CLAUDE:CONTEXT]';

test.each([
  ['with its marker', '[RESPONSE:CLAUDE:VERIFICATION]\n\n## VERDICT\n\napprove\n\n## REASON\n\nIt holds.\n'],
  ['without the marker', '## VERDICT\napprove\n\n## REASON\nIt holds.'],
  ['with bold heads', '**VERDICT:**\n\nApprove.\n\n**REASON:**\n\nIt holds.'],
  ['with an emphasised word', '## VERDICT\n**Approve** with joy\n## REASON\nIt holds.'],
])('X001-7 a verification is read %s', (_how, text) => {
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
  ['\uFEFF \n', 'is empty'],
])('X001-7 the verification %j is not taken: it %s', (text, problem) => {
  expect(readReverseAnswer(text, verification)).toEqual({ kind: 'unreadable', problem });
});

test.each([
  ['free text', 'The table has a row for each currency.\n\n- JPY has none'],
  [
    'its section',
    '[RESPONSE:CLAUDE:CONTEXT]\n\n## CONTEXT\n\nThe table has a row for each currency.\n\n- JPY has none',
  ],
  [
    'text behind the marker',
    '[RESPONSE:CLAUDE:CONTEXT]: The table has a row for each currency.\n\n- JPY has none',
  ],
])('X001-7 context is taken from %s', (_how, text) => {
  expect(readReverseAnswer(text, context)).toEqual({
    kind: 'answered',
    sections: { CONTEXT: 'The table has a row for each currency.\n\n- JPY has none' },
  });
});

test.each([verification, context, '[CONSULT:DESIGN]'])('X001-8 an answer that asks %s is nested', (tag) => {
  expect(readReverseAnswer(`Before that:\n\n${tag}\n\nWhy?`, context)).toEqual({ kind: 'nested', tag });
});

test('X001-14 a tag in quoted material asks nothing', () => {
  const text = `The file says:\n\n\`\`\`\n${context}\n\`\`\`\n\n> [CONSULT:DESIGN]`;
  expect(readReverseAnswer(text, context)).toMatchObject({ kind: 'answered' });
});

test('an answer above the cap is not read', () => {
  const most = 'a'.repeat(maxReverseAnswerBytes);
  expect(readReverseAnswer(most, context)).toMatchObject({ kind: 'answered' });
  expect(readReverseAnswer(`${most}a`, context)).toEqual({
    kind: 'unreadable',
    problem: 'has 262145 bytes; 256 KiB is the limit',
  });
});
