import { expect, test } from 'vitest';
import type { AnswerTag, RequestTag } from '../../tags/tags.ts';
import { readAnswer } from './read-answer.ts';
import { judgeRelevance, type Relevance } from './relevance.ts';
import { parseUnifiedDiff } from '../diff/parse-diff.ts';

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
  request: {
    tag?: RequestTag;
    threshold?: number;
    expected?: AnswerTag;
    required?: string;
    change?: string | null;
  } = {},
): Relevance {
  return judgeRelevance({
    reading: readAnswer(text, request.expected ?? '[RESPONSE:REVIEW]'),
    text,
    request: {
      tag: request.tag ?? '[REQUEST:REVIEW]',
      question: 'Is the rounding of the order total right?',
      required: request.required === undefined ? [] : [{ text: request.required }],
      optional: [{ text: 'Prices are kept in `cents`; see docs/money.md.' }],
      change: request.change === null ? null : parseUnifiedDiff(request.change ?? diff).files,
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

test('R001-16 X001-11.2 a review of something else is irrelevant, with its score', () => {
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
])('X001-11.2 findings that name %s are never irrelevant', (_name, issues) => {
  expect(judge(review(issues))).toEqual({ irrelevant: false });
});

test('X001-11.2,4 shared words are enough without a name, down to the threshold', () => {
  const text = review(
    '1. **Order total**\n   Why: rounding the order total before prices are summed loses fractions whenever several discounts apply together',
  );
  expect(judge(text)).toEqual({ irrelevant: false });
  expect(judge(text, { threshold: 0.9 })).toMatchObject({ irrelevant: true, reason: offTopic });
});

test('X001-11.2 a whole review with a recognised none is never irrelevant', () => {
  expect(judge(review('None', weather))).toEqual({ irrelevant: false });
});

test('X001-11.2 an incomplete block is judged too, unless it says too little to tell', () => {
  expect(judge(`[RESPONSE:REVIEW]\n## STRENGTHS\n${weather}`)).toMatchObject({ irrelevant: true });
  expect(judge('[RESPONSE:REVIEW]\n## STRENGTHS\nsmall steps')).toEqual({ irrelevant: false });
});

test('X001-11.2 words decide only for reviews and implementation advice', () => {
  const text = `[RESPONSE:DESIGN]\n## ASSESSMENT\n${weather}`;
  expect(judge(text, { tag: '[CONSULT:DESIGN]', expected: '[RESPONSE:DESIGN]' })).toEqual({
    irrelevant: false,
  });
});

test('R001-16 X001-11.1 the tag of another phase is irrelevant', () => {
  expect(judge('[RESPONSE:DESIGN]\n## RISKS\nnone')).toEqual({
    irrelevant: true,
    reason: 'it answers [RESPONSE:DESIGN]',
    score: 0,
  });
});

test.each([
  'How can I help you?',
  'Hello! What would you like me to do today? How can I assist?',
  'What can I do for you?',
  'What may I help with?',
  'How could I assist?',
  'how would you like me to help?',
  "I'm ready to review. Please paste the diff.",
  'I’m ready to help.',
  "I'm ready to assist.",
  'I am ready to start.',
  'Please provide the diff.',
  'Please share your code.',
  'Please send it, then the change follows.',
  'Please paste the changes.',
  'Please share the file.',
  'Please share the files.',
  'Please provide the request.',
  'Please provide more details.',
  'Please provide the task.',
  'Please provide some context.',
  'What task should I begin with?',
  'Which code do you mean?',
  'Which change would you have me look at?',
  'Which file should I read?',
  'What files do I get?',
  "I'm sorry, but I can't help with that.",
  'Sorry, I can’t open this.',
  'I apologize: I cannot open this.',
  'I apologise, I am not able to open this.',
  "Unfortunately, I'm unable to open the repository.",
  'Unfortunately, I’m not able to open it.',
  'Unfortunately, I am unable to open the repository.',
  "I can't help here.",
  'I can’t assist.',
  'I cannot comply.',
  'I can not do that.',
  'I am unable to review this.',
  "I'm unable to help.",
  'I’m unable to assist.',
  "I won't fulfil this.",
  'I won’t fulfill this.',
  '何かお手伝いできることはありますか？',
  '何を手伝いましょうか',
  'どのようにお力になれますか',
  '何かお役に立てますか',
  '申し訳ありませんが、対応できません。',
  '申し訳ございません。\n\nお答えできません。',
])('X001-11.3 %j waits for a task or declines it', (text) => {
  expect(judge(text)).toEqual({ irrelevant: true, reason: 'it waits for a task or declines it', score: 0 });
});

test.each([
  'This shows how it may help.',
  'We are ready to start.',
  'Please rename it.',
  'Please send it.',
  'Which files changed?',
  'Sorry for the noise. It is right.',
  'Unfortunately it fails. Yes, I can reproduce it.',
  'Unfortunately it fails! I cannot see why.',
  'I can see that it is wrong.',
  'I cannot reproduce it.',
  '手伝いは要らない',
  '申し訳ありません。',
  'これ以上は最適化できません。',
])('X001-11.3 %j says something, so that it is not idle', (text) => {
  expect(judge(text)).toEqual({ irrelevant: false });
});

test('X001-11.3 only a short text waits: eight hundred characters at most', () => {
  const text = 'How can I help you? ';
  expect(judge(text + 'x'.repeat(800 - text.length))).toMatchObject({ irrelevant: true });
  expect(judge(text + 'x'.repeat(801 - text.length))).toEqual({ irrelevant: false });
});

test('X001-11.3 an incomplete answer that declines is idle', () => {
  expect(judge("[RESPONSE:REVIEW]\n## STRENGTHS\nI'm sorry, I can't help with that.")).toEqual({
    irrelevant: true,
    reason: 'it waits for a task or declines it',
    score: 0,
  });
});

/** Twenty words that no request holds. */
const alphabet =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango'.split(
    ' ',
  );

function wordy(count: number, ...shared: readonly string[]): string {
  return review(`1. **${[...shared, ...alphabet].slice(0, count).join(' ')}**`);
}

test('X001-11.2 with fewer than twelve different words a block says too little to be off topic', () => {
  expect(judge(wordy(12))).toEqual({ irrelevant: true, reason: offTopic, score: 0 });
  expect(judge(wordy(11))).toEqual({ irrelevant: false });
  expect(judge(review(`1. **${[...alphabet.slice(0, 11), ...alphabet.slice(0, 11)].join(' ')}**`))).toEqual({
    irrelevant: false,
  });
});

test('X001-11.2,4 the share of known words decides at a twentieth, or at the threshold that is given', () => {
  const twoWords = 2 / (1 + 1.2);
  expect(judge(wordy(19, 'rounding', 'kept'))).toEqual({
    irrelevant: true,
    reason: offTopic,
    score: twoWords / 19,
  });
  expect(judge(wordy(18, 'rounding', 'kept'))).toEqual({ irrelevant: false });
  expect(judge(wordy(19, 'rounding', 'kept'), { threshold: twoWords / 19 })).toEqual({ irrelevant: false });
  expect(judge(wordy(18, 'rounding', 'kept'), { threshold: 0.06 })).toMatchObject({ irrelevant: true });
});

test.each([
  ['the question', 'rounding', {}],
  ['what is required', 'zebra', { required: 'A zebra runs' }],
  ['what is optional', 'kept', {}],
  ['the change', 'export', {}],
])('X001-11.2 a word of %s is known', (_where, word, request) => {
  expect(judge(wordy(12, word), { ...request, threshold: 1 })).toEqual({
    irrelevant: true,
    reason: offTopic,
    score: 1 / (1 + 1.2) / 12,
  });
});

test('X001-11.2 two lines of the change never make one word', () => {
  const change = '--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n zebra\n+yak\n';
  expect(judge(wordy(12, 'zebra'), { change, threshold: 1 })).toMatchObject({ score: 1 / (1 + 1.2) / 12 });
});

test('X001-11.2 a name of the required context is a name of the request', () => {
  expect(judge(wordy(12, 'zooKeeper'), { required: 'See zooKeeper' })).toEqual({ irrelevant: false });
});

test('X001-11.2 a name in the preamble counts, and so does one in any section', () => {
  const issues = `1. **${alphabet.join(' ')}**`;
  expect([
    judge(review(issues).replace('\n', '\nThis is about grandTotal.\n\n')),
    judge(review(issues, 'grandTotal')),
    judge(review(issues).replace(/None\n$/, 'grandTotal\n')),
  ]).toEqual([{ irrelevant: false }, { irrelevant: false }, { irrelevant: false }]);
});

test('X001-11.2 a request without a change is judged by its texts alone', () => {
  expect(judge(wordy(12), { change: null })).toMatchObject({ irrelevant: true, score: 0 });
  expect(judge(wordy(12, 'grandTotal'), { change: null })).toMatchObject({ irrelevant: true });
  expect(judge(wordy(12, 'cents'), { change: null })).toEqual({ irrelevant: false });
});

const shortLines = `diff --git a/x.ts b/x.ts
--- a/x.ts
+++ b/x.ts
@@ -1,2 +1,4 @@
 a();
 });
+if (b)  {
+   c();
`;

test.each([
  ['a line with other blanks', 'if  (b) {', false],
  ['a line with another indent', '   if (b) {', false],
  ['a line with blanks where the change has none', 'i f (b) {', true],
  ['one known line among others', 'never();\n  c();', false],
  ['four characters', 'a();', false],
  ['three characters, which any code has', '});', true],
  ['unknown lines', 'never();\nnowhere();', true],
])('X001-11.2 a quotation of %s is judged as one of the change or not', (_what, code, isIrrelevant) => {
  const quoted = review(
    `1. **Storm**\n   Why: ${weather}\n2. **Snow**\n   ~~~\n${code.replace(/^/gm, '   ')}\n   ~~~`,
  );
  expect(judge(quoted, { change: shortLines, threshold: 1 }).irrelevant).toBe(isIrrelevant);
});

test('X001-11.2 a block whose issues cannot be read is judged by its words', () => {
  expect(judge(review(weather))).toMatchObject({ irrelevant: true, reason: offTopic });
  expect(judge(review(`${weather} See total.ts.`))).toEqual({ irrelevant: false });
});

test('X001-11.2 implementation advice about something else is irrelevant, requirements never', () => {
  const advice = `[RESPONSE:IMPLEMENTATION]\n## ADVICE\n${weather}\n## PATTERNS\nNone\n## CAVEATS\nNone`;
  expect(
    judge(advice, { tag: '[CONSULT:IMPLEMENTATION]', expected: '[RESPONSE:IMPLEMENTATION]' }),
  ).toMatchObject({ irrelevant: true, reason: offTopic });
  const questions = `[RESPONSE:REQUIREMENTS]\n## CLARIFICATION_QUESTIONS\n${weather}\n## CONSIDERATIONS\nNone`;
  expect(judge(questions, { tag: '[CONSULT:REQUIREMENTS]', expected: '[RESPONSE:REQUIREMENTS]' })).toEqual({
    irrelevant: false,
  });
});

test('R001-13 X001-11.3 prose about the change without a marker is not irrelevant', () => {
  expect(judge('Unfortunately the sum cannot be negative. Looks good to me.')).toEqual({ irrelevant: false });
});

test('X001-11.3 a whole answer that offers further help is no idle text', () => {
  expect(judge(`How can I help you?\n\n${review('None')}`)).toEqual({ irrelevant: false });
});
