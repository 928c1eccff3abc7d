/** Rules for leftovers of development. */
import type { Rule } from '../rule.ts';
import { syntaxMatch, textMatch } from './matchers.ts';

export const leftoverRules: readonly Rule[] = [
  {
    name: 'conflict-marker',
    severity: 'critical',
    title: 'A merge conflict was committed',
    why: 'The file holds both sides and the markers; it does not even parse.',
    fix: 'Choose the side that is meant and remove the markers.',
    matches: [textMatch('any', /^(<{7}|>{7}|\|{7}) \S/, { comments: 'any' })],
  },
  {
    name: 'debugger-leftover',
    severity: 'important',
    title: 'A debugger stop was left behind',
    why: 'The program halts there as soon as a debugger is attached, or waits for ever on a server.',
    fix: 'Remove it.',
    matches: [
      syntaxMatch(/\bdebugger\b/, { kind: 'debugger_statement' }),
      textMatch(['python'], /^\s*(breakpoint\(\)|(import\s+i?pdb;\s*)?i?pdb\.set_trace\(\))/),
      textMatch(['ruby'], /^\s*(binding\.(pry|irb)|byebug)\s*$/),
      textMatch(['php'], /^\s*(var_dump|dd|xdebug_break)\s*\(/),
      textMatch(['rust'], /\bdbg!\s*\(/),
    ],
  },
  {
    name: 'console-log',
    severity: 'minor',
    onRequest: true,
    title: 'A console.log was left behind',
    why: 'It writes to the output of every user, sometimes with data that does not belong there.',
    fix: 'Remove it or use the logger.',
    exemptTests: true,
    exemptPaths: /(^|\/)(scripts?|bin|cli|tools?|examples?|bench)\/|(^|\/)[\w.-]*(cli|config)\.[cm]?[jt]s$/,
    matches: [syntaxMatch(/\bconsole\b/, ['console.log($$$VALUES)', 'console.debug($$$VALUES)'])],
  },
  {
    name: 'todo-comment',
    severity: 'minor',
    onRequest: true,
    title: 'Work is left open in a comment',
    why: 'No one is reminded of it: the comment stays and the work is forgotten.',
    fix: 'Do it now, or name an issue that tracks it.',
    matches: [
      textMatch('code', /\b(TODO|FIXME|HACK)\b(?!\S*\(#?\d+\))(?!.*(#\d+|https?:\/\/|[A-Z]{2,}-\d+))/, {
        comments: 'only',
      }),
    ],
  },
  {
    name: 'focused-test',
    severity: 'important',
    title: 'One test is focused, the others do not run',
    why: 'The suite passes while everything else in the file is left out.',
    fix: 'Remove `.only`.',
    matches: [
      syntaxMatch(
        /\bonly\b|\bf(it|describe)\b/,
        ['$RUNNER.only($$$ARGS)', 'fit($NAME, $$$ARGS)', 'fdescribe($NAME, $$$ARGS)'],
        { constraints: { RUNNER: { regex: '^(it|test|describe|context|suite)(\\.\\w+)?$' } } },
      ),
    ],
  },
  {
    name: 'skipped-test',
    severity: 'minor',
    title: 'A test is switched off',
    why: 'What it guarded is no longer checked, and nothing says until when.',
    fix: 'Repair it, or delete it with the reason in the commit.',
    matches: [
      syntaxMatch(
        /\bskip\b|\bx(it|describe|test)\b/,
        [
          '$RUNNER.skip($NAME, $$$ARGS)',
          'xit($NAME, $$$ARGS)',
          'xdescribe($NAME, $$$ARGS)',
          'xtest($NAME, $$$ARGS)',
        ],
        { constraints: { RUNNER: { regex: '^(it|test|describe|context|suite)$' } } },
      ),
      textMatch(['python'], /^\s*@(pytest\.mark|unittest)\.skip\b/),
      textMatch(['java'], /^\s*@(Disabled|Ignore)\b/),
    ],
  },
];
