/** Rules for numbers, copies and texts with unintended results. */
import type { LinePlace, Rule } from '../rule.ts';
import { syntaxMatch, textMatch } from './matchers.ts';

export const valueRules: readonly Rule[] = [
  {
    name: 'parse-int-without-radix',
    severity: 'minor',
    onRequest: true,
    title: 'parseInt without a radix',
    why: 'A text that begins with 0x is read as hexadecimal.',
    fix: 'Pass 10, or use Number.',
    matches: [syntaxMatch(/\bparseInt\b/, ['parseInt($TEXT)', 'Number.parseInt($TEXT)'])],
  },
  {
    name: 'map-parse-int',
    severity: 'important',
    title: 'parseInt as the callback of map takes the index for its radix',
    why: "`['1', '2', '3'].map(parseInt)` is [1, NaN, NaN].",
    fix: 'Use map(Number) or an arrow function that passes the radix.',
    matches: [syntaxMatch(/\bparseInt\b/, ['$LIST.map(parseInt)', '$LIST.map(Number.parseInt)'])],
  },
  {
    name: 'rounded-before-rate',
    severity: 'important',
    title: 'An amount is rounded before a rate is applied',
    why: 'The rounding error is multiplied, so totals differ by cents from the sum of their parts.',
    fix: 'Compute in the smallest unit and round once, at the end.',
    matches: [
      syntaxMatch(
        /\b(round|floor|toFixed)\b/,
        [
          'Math.round($AMOUNT) * $RATE',
          'Math.floor($AMOUNT) * $RATE',
          'Number($AMOUNT.toFixed($DIGITS)) * $RATE',
          'parseFloat($AMOUNT.toFixed($DIGITS)) * $RATE',
        ],
        {
          constraints: {
            RATE: {
              regex: '(?i)(tax|vat|rate|percent|discount|fee|levy|duty|margin|commission|surcharge|tariff)',
            },
          },
        },
      ),
    ],
  },
  {
    name: 'json-clone',
    severity: 'minor',
    onRequest: true,
    title: 'A copy is made by way of JSON text',
    why: 'Dates become text; undefined, maps, sets and functions are lost.',
    fix: 'Use structuredClone.',
    exemptTests: true,
    matches: [syntaxMatch(/JSON\.parse/, 'JSON.parse(JSON.stringify($VALUE))')],
  },
  {
    name: 'shared-fill',
    severity: 'important',
    title: 'Every place of the array holds the same object',
    why: 'fill puts one object everywhere: a change of one place changes them all.',
    fix: 'Use Array.from with a function that builds a new one for each place.',
    matches: [syntaxMatch(/\bfill\b/, ['$ARRAY.fill([$$$ITEMS])', '$ARRAY.fill({$$$FIELDS})'])],
  },
  {
    name: 'thrown-text',
    severity: 'minor',
    title: 'A text is thrown instead of an error',
    why: 'It has no stack and no cause, and `instanceof Error` is false.',
    fix: 'Throw an Error with the text as its message.',
    matches: [
      syntaxMatch(/\bthrow\b/, {
        kind: 'throw_statement',
        has: { any: [{ kind: 'string' }, { kind: 'template_string' }] },
      }),
    ],
  },
  {
    name: 'mutable-default',
    severity: 'important',
    title: 'A default argument is shared by all calls',
    why: 'Python builds the default once: the next call finds what the last one put into it.',
    fix: 'Use None as the default and build the value in the body.',
    matches: [
      textMatch(
        ['python'],
        /^\s*(async\s+)?def\s+\w+\((?:.*[\s,])?[a-zA-Z]\w*(?:\s*:[^=]*)?\s*=\s*(\[\]|\{\}|list\(\)|dict\(\)|set\(\))\s*[,)]/,
        { when: changesDefault },
      ),
    ],
  },
];

/** Returns true if the function changes a default, or hands it on to code that may; one that is only read does no harm. */
function changesDefault({ texts, index }: LinePlace): boolean {
  const head = texts[index] ?? '';
  const indent = head.length - head.trimStart().length;
  const rest = texts.slice(index + 1);
  const end = rest.findIndex((text) => text.trim() !== '' && text.length - text.trimStart().length <= indent);
  const body = rest.slice(0, end < 0 ? rest.length : end).join('\n');
  const names = [
    ...head.matchAll(/([a-zA-Z]\w*)(?:\s*:[^=,]*)?\s*=\s*(?:\[\]|\{\}|list\(\)|dict\(\)|set\(\))/g),
  ];
  return names.some(([, name = '']) =>
    new RegExp(
      `\\b${name}(?:\\.(?:append|extend|insert|add|update|setdefault|pop|remove|clear)\\(|\\[[^\\]]*\\]\\s*[-+|]?=[^=]|\\s*[-+|]=)|(?:=|\\breturn)\\s*${name}\\s*$`,
      'm',
    ).test(body),
  );
}
