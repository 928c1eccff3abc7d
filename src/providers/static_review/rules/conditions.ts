/** Rules for conditions that do not check what they seem to check. */
import type { SgNode } from '@ast-grep/napi';
import type { Rule } from '../rule.ts';
import { syntaxMatch, textMatch } from './matchers.ts';

const typeNames = ['undefined', 'object', 'boolean', 'number', 'bigint', 'string', 'symbol', 'function'];

export const conditionRules: readonly Rule[] = [
  {
    name: 'assignment-in-condition',
    severity: 'critical',
    title: 'A condition assigns instead of comparing',
    why: 'The left side is overwritten and the branch depends on the assigned value alone.',
    fix: 'Compare with ===.',
    matches: [
      syntaxMatch(/\bif\b/, {
        kind: 'assignment_expression',
        // A function's result is often kept: `if (found = search())`.
        has: {
          field: 'right',
          any: [
            ...['string', 'number', 'true', 'false', 'null', 'undefined'].map((kind) => ({ kind })),
            { regex: '^(\\w+\\.)?[A-Z][A-Z0-9_]+$' },
          ],
        },
        inside: {
          kind: 'parenthesized_expression',
          inside: { kind: 'if_statement', field: 'condition' },
        },
      }),
      textMatch(
        ['java', 'csharp', 'php', 'c'],
        /\bif\s*\(\s*\$?\w+\s*=\s*(?:true|false|null|\d+|"[^"]*")\s*\)/,
      ),
    ],
  },
  {
    name: 'nan-comparison',
    severity: 'important',
    title: 'A comparison with NaN always has the same result',
    why: 'NaN equals nothing, itself included: the answer is always the same.',
    fix: 'Use Number.isNaN.',
    matches: [
      syntaxMatch(
        /\bNaN\b/,
        ['===', '==', '!==', '!='].flatMap((operator) => [
          `$VALUE ${operator} NaN`,
          `NaN ${operator} $VALUE`,
          `$VALUE ${operator} Number.NaN`,
        ]),
      ),
    ],
  },
  {
    name: 'loose-equality',
    severity: 'minor',
    onRequest: true,
    title: 'A loose comparison converts its operands',
    why: "`0 == ''` and `'1' == 1` are true: values of other types slip through.",
    fix: 'Use === or !==; `== null` may stay, it asks for null and undefined together.',
    matches: [
      syntaxMatch(/[^=!]==[^=]|!=[^=]/, ['$LEFT == $RIGHT', '$LEFT != $RIGHT'], {
        when: (node) =>
          !/(==|!=)\s*(null|undefined|NaN|Number\.NaN)$|^(null|undefined|NaN)\b|^typeof\b/.test(node.text()),
      }),
    ],
  },
  {
    name: 'self-comparison',
    severity: 'important',
    title: 'A value is compared with itself',
    why: 'The answer is always the same; one side was meant to be another value.',
    fix: 'Compare with the intended value.',
    matches: [
      syntaxMatch(
        // Each arrow of a function has a `>`.
        /<|(?<!=)>|===/,
        ['===', '<', '>', '<=', '>='].map((operator) => `$SAME ${operator} $SAME`),
        {
          constraints: { SAME: { not: { kind: 'number' } } },
          // `value === value` asks for NaN, as `!==` does.
          when: (node) => !/^([\w$]+) === \1$/.test(node.text()),
        },
      ),
    ],
  },
  {
    name: 'repeated-operand',
    severity: 'important',
    title: 'Both sides of a logical operator are the same',
    why: 'The second side adds nothing; another condition was meant.',
    fix: 'Write the condition that was meant.',
    matches: [
      syntaxMatch(/&&|\|\|/, ['$SAME && $SAME', '$SAME || $SAME'], {
        constraints: { SAME: { not: { kind: 'number' } } },
      }),
    ],
  },
  {
    name: 'impossible-typeof',
    severity: 'important',
    title: 'typeof never gives this text',
    why: 'The comparison is never true, so its branch is never taken.',
    fix: 'Use one of: undefined, object, boolean, number, bigint, string, symbol, function.',
    matches: [
      syntaxMatch(
        /\btypeof\b/,
        ['===', '==', '!==', '!='].map((operator) => `typeof $VALUE ${operator} $NAME`),
        { constraints: { NAME: { kind: 'string', not: { regex: `^['"](${typeNames.join('|')})['"]$` } } } },
      ),
    ],
  },
  {
    name: 'negated-left-operand',
    severity: 'important',
    title: 'Only the left side is negated, not the test',
    why: '`!a in b` asks whether `false` is in b, `!a instanceof B` whether a boolean is a B: never.',
    fix: 'Put the test into parentheses: `!(a in b)`.',
    matches: [syntaxMatch(/!\S+\s+in(stanceof)?\b/, ['!$LEFT in $RIGHT', '!$LEFT instanceof $RIGHT'])],
  },
  {
    name: 'length-below-zero',
    severity: 'important',
    title: 'A length is compared so that the answer is always the same',
    why: 'A length is never below zero: the test guards nothing.',
    fix: 'Compare with `=== 0` or `> 0`.',
    matches: [syntaxMatch(/\blength\b/, ['$LIST.length < 0', '$LIST.length >= 0'])],
  },
  {
    name: 'loop-past-end',
    severity: 'important',
    title: 'The loop runs one step past the end',
    why: 'The last index is length − 1; the last round reads undefined.',
    fix: 'Use `<` instead of `<=`.',
    matches: [
      syntaxMatch(
        /<=\s*[\w.$]+\.length/,
        {
          kind: 'for_statement',
          all: [
            { has: { field: 'initializer', regex: '=\\s*0\\s*;?$' } },
            { has: { field: 'condition', regex: '<=\\s*[\\w.$]+\\.length\\s*;?$' } },
          ],
        },
        { when: countsThroughIndex },
      ),
      textMatch(
        ['java', 'csharp'],
        /\bfor\s*\([^;]*=\s*0\s*;[^;]*<=\s*[\w.]+\.(length|Length|size\(\)|Count)\s*;/,
      ),
    ],
  },
];

/** Matches `i <= list.length` if `list[i]` is read, which is past the end; it is correct for positions between items. */
function countsThroughIndex(node: SgNode): boolean {
  const [, index, list] = /(\w+)\s*<=\s*([\w.$]+)\.length/.exec(node.field('condition')?.text() ?? '') ?? [];
  if (index === undefined || list === undefined) return false;
  const body = node.field('body')?.text() ?? '';
  // A body that asks for the end itself goes there on purpose.
  return body.includes(`${list}[${index}]`) && !body.includes(`${list}.length`);
}
