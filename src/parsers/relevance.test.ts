import { expect, test } from 'vitest';
import type { AnswerTag, RequestTag } from '../tags/tags.ts';
import { readAnswer } from './read-answer.ts';
import { judgeRelevance, type Relevance } from './relevance.ts';
import { parseUnifiedDiff } from './unified-diff.ts';

const diff = `diff --git a/src/checkout/total.ts b/src/checkout/total.ts
--- a/src/checkout/total.ts
+++ b/src/checkout/total.ts
@@ -1,2 +1,2 @@
 export function grandTotal(lines) {
-  return lines.sum();
+  return Math.round(lines.sum()) * taxRate;
`;

function judge(
  text: string,
  request: { tag?: RequestTag; threshold?: number; expected?: AnswerTag } = {},
): Relevance {
  return judgeRelevance({
    reading: readAnswer(text, request.expected ?? '[RESPONSE:REVIEW]'),
    text,
    request: {
      tag: request.tag ?? '[REQUEST:REVIEW]',
      question: 'Is the rounding of the order total right?',
      required: [],
      optional: [{ text: 'Prices are kept in `cents`; see docs/money.md.' }],
      change: parseUnifiedDiff(diff).files,
    },
    ...(request.threshold === undefined ? {} : { threshold: request.threshold }),
  });
}

function review(issues: string, strengths = 'None'): string {
  return `[RESPONSE:REVIEW]\n## STRENGTHS\n${strengths}\n## ISSUES\n${issues}\n## SUGGESTIONS\nNone\n`;
}

const weather =
  'Tomorrow brings heavy rain over northern mountains, strong wind along the coast, fresh snow above two thousand metres, and sunshine elsewhere during the whole afternoon.';
const offTopic = 'it names no file, symbol or line of the request and hardly shares a word with it';

test('R001-16 X001-11 a review of something else is irrelevant, with its score', () => {
  expect(judge(review(`1. **Storm warning**\n   Why: ${weather}`))).toEqual({
    irrelevant: true,
    reason: offTopic,
    score: 0,
  });
});

test.each([
  ['a changed path', `1. **Wrong**\n   Why: ${weather} See src/checkout/total.ts.`],
  ['its file name', `1. **Wrong** — \`total.ts:2\`\n   Why: ${weather}`],
  ['a path of the context', `1. **Wrong**\n   Why: ${weather} See docs/money.md.`],
  ['a symbol of the change', `1. **Wrong**\n   Why: ${weather} It is grandTotal.`],
  ['a symbol in backticks', `1. **Wrong**\n   Why: ${weather} Use cents.`],
  ['a line of the change', `1. **Wrong**\n   \`\`\`\n   return lines.sum();\n   \`\`\`\n   Why: ${weather}`],
])('X001-11 findings that name %s are never irrelevant', (_name, issues) => {
  expect(judge(review(issues))).toEqual({ irrelevant: false });
});

test('X001-11 shared words are enough without a name, down to the threshold', () => {
  const text = review(
    '1. **Order total**\n   Why: rounding the order total before prices are summed loses fractions whenever several discounts apply together',
  );
  expect(judge(text)).toEqual({ irrelevant: false });
  expect(judge(text, { threshold: 0.9 })).toMatchObject({ irrelevant: true, reason: offTopic });
});

test('X001-11 a whole review with a recognised none is never irrelevant', () => {
  expect(judge(review('None', weather))).toEqual({ irrelevant: false });
});

test('X001-11 an incomplete block is judged too, unless it says too little to tell', () => {
  expect(judge(`[RESPONSE:REVIEW]\n## STRENGTHS\n${weather}`)).toMatchObject({ irrelevant: true });
  expect(judge('[RESPONSE:REVIEW]\n## STRENGTHS\nsmall steps')).toEqual({ irrelevant: false });
});

test('X001-11 words decide only for reviews and implementation advice', () => {
  const text = `[RESPONSE:DESIGN]\n## ASSESSMENT\n${weather}`;
  expect(judge(text, { tag: '[CONSULT:DESIGN]', expected: '[RESPONSE:DESIGN]' })).toEqual({
    irrelevant: false,
  });
});

test('R001-16 X001-11 the tag of another phase is irrelevant', () => {
  expect(judge('[RESPONSE:DESIGN]\n## RISKS\nnone')).toEqual({
    irrelevant: true,
    reason: 'it answers [RESPONSE:DESIGN]',
    score: 0,
  });
});

test.each([
  'How can I help you?',
  'Hello! What would you like me to do today? How can I assist?',
  "I'm ready to review. Please paste the diff.",
  "I'm sorry, but I can't help with that.",
  'Unfortunately, I am unable to open the repository.',
  '何かお手伝いできることはありますか？',
  '申し訳ありませんが、対応できません。',
])('X001-11 %j waits for a task or declines it', (text) => {
  expect(judge(text)).toEqual({ irrelevant: true, reason: 'it waits for a task or declines it', score: 0 });
});

test('R001-13 X001-11 prose about the change without a marker is not irrelevant', () => {
  expect(judge('Unfortunately the sum cannot be negative. Looks good to me.')).toEqual({ irrelevant: false });
});

test('X001-11 a whole answer that offers further help is no idle text', () => {
  expect(judge(`How can I help you?\n\n${review('None')}`)).toEqual({ irrelevant: false });
});
