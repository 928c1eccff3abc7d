import { expect, test } from 'vitest';
import { readMarkerLine, tagsNamedIn } from './marker-line.ts';

const tag = '[RESPONSE:REVIEW]';
const written = { tag, lenient: false, column: 0, rest: null };

test.each([
  [tag, written],
  [`   ${tag}`, { ...written, column: 3 }],
  [`# ${tag}`, { ...written, column: 2 }],
  [`  ######\t${tag}`, { ...written, column: 9 }],
  [`## ${tag} ##`, { ...written, column: 3 }],
  [`## ${tag}\t#\t`, { ...written, column: 3 }],
  [`${tag} \t`, written],
  [`**${tag}**`, written],
  [`***${tag}***`, written],
  [`__${tag}__`, written],
  [`\`${tag}\``, written],
  [`**\`${tag}\`**`, written],
  [`  **${tag}**`, { ...written, column: 2 }],
  [`${tag}:`, { ...written, rest: '' }],
  [`${tag}: text `, { ...written, rest: 'text' }],
  [`${tag}: one\u2028two`, { ...written, rest: 'one\u2028two' }],
  [`${tag}：本文`, { ...written, rest: '本文' }],
  [`**${tag}**: text`, { ...written, rest: 'text' }],
  [`**${tag}:** text `, { ...written, rest: 'text' }],
  [`**${tag}：** text`, { ...written, rest: 'text' }],
  [`_*${tag}:*_ text`, { ...written, rest: 'text' }],
  ['[response:Review]', { ...written, lenient: true }],
  ['[ RESPONSE :\tREVIEW ]', { ...written, lenient: true }],
  ['[CONSULT:CLAUDE:CONTEXT]', { ...written, tag: '[CONSULT:CLAUDE:CONTEXT]' }],
  ['[ CONSULT : CLAUDE : CONTEXT ]', { ...written, tag: '[CONSULT:CLAUDE:CONTEXT]', lenient: true }],
] as const)('X001-1.1,3 %j is a marker', (text, marker) => {
  expect(readMarkerLine(text)).toEqual(marker);
});

test.each([
  '',
  `    ${tag}`,
  `#${tag}`,
  `####### ${tag}`,
  `*****${tag}*****`,
  `**${tag}`,
  `**${tag}*`,
  `*_${tag}*_`,
  `**${tag}: text`,
  `**${tag}:* text`,
  `**${tag};** text`,
  `**${tag};** a: b`,
  `${tag}**`,
  `${tag} text`,
  `${tag}#`,
  `${tag} # text`,
  `${tag} ; text`,
  `${tag}; a: b`,
  `${tag} :`,
  `text ${tag}`,
  '[RESPONSE:UNKNOWN]',
  '[RESPONSE]',
  '[RESPONSE:]',
  '[RESPONSE:REVIEW:]',
  '[RESPONSE-REVIEW]',
  '[RESPONSE:REVIEW:MORE]',
  '[CONSULT:CLAUDE]',
  '[RESPONSE1:REVIEW]',
])('X001-1.1 %j is prose', (text) => {
  expect(readMarkerLine(text)).toBeNull();
});

test('every tag in a line has its column, and anything else is left out', () => {
  const line = `see ${tag} or [ consult:design ], [NOTE:HERE] and [CONSULT:CLAUDE:CONTEXT]`;
  expect(tagsNamedIn(line)).toEqual([
    { tag, column: 4 },
    { tag: '[CONSULT:DESIGN]', column: 25 },
    { tag: '[CONSULT:CLAUDE:CONTEXT]', column: 61 },
  ]);
});
