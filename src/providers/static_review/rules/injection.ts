/** Rules for foreign text that is run as code, a command, a query or a path. */
import type { NapiConfig, SgNode } from '@ast-grep/napi';
import type { Rule } from '../rule.ts';
import type { LinePlace } from '../rule.ts';
import { syntaxMatch, textMatch } from './matchers.ts';
import { putsValueInSql } from './sql-text.ts';

const builtText: NapiConfig['rule'] = {
  any: [
    { kind: 'template_string', has: { kind: 'template_substitution' } },
    { kind: 'binary_expression', has: { kind: 'string', stopBy: 'end' }, regex: '\\+' },
  ],
};

/** All capitals or all lower case, because `Select a card from the list` is a sentence. */
const sqlVerb =
  '(?s)^.\\s*(SELECT\\s.+\\sFROM|INSERT\\s+INTO|UPDATE\\s.+\\sSET|DELETE\\s+FROM|select\\s.+\\sfrom|insert\\s+into|update\\s.+\\sset|delete\\s+from)\\b';
const requestValue = '\\b(req|request|ctx)\\.(query|params|body)\\b';

export const injectionRules: readonly Rule[] = [
  {
    name: 'eval-call',
    severity: 'critical',
    title: 'Text is run as code with eval',
    why: 'An attacker who can influence the text runs code with the rights of this process.',
    fix: 'Parse the text as data (JSON.parse, ast.literal_eval) or look the operation up in a table.',
    matches: [
      syntaxMatch(/\beval\b/, 'eval($CODE)'),
      textMatch(['python', 'ruby', 'php'], /(?<![\w.'"-])eval\s*\(\s*[^)\s]/),
    ],
  },
  {
    name: 'new-function',
    severity: 'critical',
    title: 'Text is compiled to code with new Function',
    why: 'It is eval by another name: an attacker who can influence the text runs code in this process.',
    fix: 'Parse the text as data, or look the operation up in a table of functions.',
    matches: [syntaxMatch(/\bnew\s+Function\b/, 'new Function($$$ARGS)')],
  },
  {
    name: 'string-timer',
    severity: 'important',
    title: 'A timer is given text to evaluate',
    why: 'A string is compiled as with eval, in the global scope, where local names are unknown.',
    fix: 'Pass a function.',
    matches: [
      syntaxMatch(
        /\bset(Timeout|Interval)\b/,
        ['setTimeout($CODE, $$$REST)', 'setInterval($CODE, $$$REST)'],
        {
          constraints: { CODE: { any: [{ kind: 'string' }, builtText] } },
        },
      ),
    ],
  },
  {
    name: 'shell-command-from-values',
    severity: 'critical',
    title: 'A shell command is put together from values',
    why: 'A value that holds `;`, `$(` or a quote becomes a separate command.',
    fix: 'Call execFile, spawn or subprocess.run with an array of arguments and no shell.',
    matches: [
      syntaxMatch(
        /\bexec(Sync)?\s*\(/,
        ['exec', 'execSync', '$OBJECT.exec', '$OBJECT.execSync'].flatMap((callee) => [
          `${callee}($COMMAND)`,
          `${callee}($COMMAND, $$$REST)`,
        ]),
        {
          constraints: {
            COMMAND: builtText,
            OBJECT: { regex: '^(child_process|childProcess|cp|shell|shelljs)$' },
          },
          when: (node) => joinsVariable(node.getMatch('COMMAND') ?? node),
        },
      ),
      textMatch(['python'], /\bos\.(system|popen)\s*\(\s*(f['"]|['"].*['"]\s*(%|\+|\.format)|\w+\s*\+)/),
      textMatch(
        ['python'],
        /\bsubprocess\.\w+\s*\(\s*(f['"]|['"].*['"]\s*(%|\+|\.format)).*\bshell\s*=\s*True/,
      ),
    ],
  },
  {
    name: 'sql-from-values',
    severity: 'critical',
    title: 'An SQL statement is put together from values',
    why: 'A value that holds a quote changes the statement: data can be read, changed or dropped.',
    fix: 'Use placeholders and pass the values as parameters.',
    matches: [
      syntaxMatch(
        /\b(select|insert|update|delete)\b/i,
        {
          any: [
            {
              kind: 'template_string',
              has: { kind: 'template_substitution' },
              regex: sqlVerb,
              // A tagged template (sql`…`) makes its own placeholders.
              not: { inside: { kind: 'call_expression', not: { has: { kind: 'arguments' } } } },
            },
            {
              kind: 'binary_expression',
              regex: sqlVerb,
              has: { kind: 'string', regex: sqlVerb, stopBy: 'end' },
              not: { inside: { kind: 'binary_expression' } },
            },
          ],
        },
        { when: (node) => putsValueInSql(node.text()) },
      ),
      textMatch(
        ['python'],
        /(\bf(['"]{1,3})\s*(select\s.+\sfrom|insert into|update\s.+\sset|delete from)\b.*\{)|(['"]\s*(select\s.+\sfrom|insert into|update\s.+\sset|delete from)\b.*['"]\s*(%(?!s)|\+|\.format\())/i,
        { when: putsValueInLine },
      ),
      textMatch(
        ['java', 'csharp', 'go', 'php', 'ruby'],
        /(['"]\s*(select\s.+\sfrom|insert into|update\s.+\sset|delete from)\b.*['"]\s*[+.]\s*[$\w])|(Sprintf\(\s*"\s*(select|insert into|update|delete from)\b.*%[svd])|("\s*(select|insert into|update|delete from)\b.*(#\{|\$\{?\w))/i,
        { when: putsValueInLine },
      ),
    ],
  },
  {
    name: 'path-from-request',
    severity: 'critical',
    title: 'A file path comes straight from the request',
    why: '`../` in the value reaches every file that this process may read.',
    fix: 'Resolve the path, check that it is below the permitted folder, or look the name up in a list.',
    matches: [
      syntaxMatch(/\b(req|request|ctx)\./, {
        kind: 'call_expression',
        all: [
          {
            has: {
              field: 'function',
              regex:
                '\\b(readFile|readFileSync|createReadStream|sendFile|writeFile|writeFileSync|unlink|rm)$',
            },
          },
          { has: { field: 'arguments', regex: requestValue } },
        ],
      }),
    ],
  },
  {
    name: 'open-redirect',
    severity: 'important',
    title: 'The request says where to redirect to',
    why: 'A link to this site can send a user, with trust and tokens, to any other site.',
    fix: 'Redirect to a path of this site, chosen from a list.',
    matches: [
      syntaxMatch(/\bredirect\b/, {
        pattern: '$RESPONSE.redirect($$$ARGS)',
        has: { field: 'arguments', regex: `^\\((\\d+, *)?${requestValue}` },
      }),
    ],
  },
  {
    name: 'unsafe-deserialisation',
    severity: 'critical',
    title: 'Foreign data is deserialised with a loader that can run code',
    why: 'The data chooses which objects are built; a crafted document runs commands while it is loaded.',
    fix: 'Use yaml.safe_load, JSON or another format that holds only data.',
    matches: [
      textMatch(['python'], /\bpickle\.loads?\s*\(/),
      textMatch(['python'], /\byaml\.load\s*\(/, { unless: /Safe_?Loader/i }),
      textMatch(['ruby'], /\b(Marshal|YAML)\.load\s*\(/),
      textMatch(['php'], /\bunserialize\s*\(\s*\$_(GET|POST|REQUEST|COOKIE)/),
    ],
  },
];

function putsValueInLine({ texts, index }: LinePlace): boolean {
  return putsValueInSql(texts[index] ?? '');
}

/** Returns true if a command is joined with a value, not only with constants such as `GIT_COMMAND`. */
function joinsVariable(node: SgNode): boolean {
  const text = node.text().replace(/(['"])(?:\\.|(?!\1)[^\\])*\1/g, '');
  const values = text.includes('`')
    ? [...text.matchAll(/\$\{([^{}]*)\}/g)].map(([, value = '']) => value)
    : text.split('+');
  return values.some((value) => /[a-z]/.test(value));
}
