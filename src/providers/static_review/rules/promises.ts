/** Rules for work that is not awaited and failures that are not reported. */
import type { SgNode } from '@ast-grep/napi';
import type { Hunk } from '../../../parsers/diff/types.ts';
import type { ChangeHit, Rule } from '../rule.ts';
import { expectsFailure, tryBodyAbove } from './dropped-failures.ts';
import { syntaxMatch, textMatch } from './matchers.ts';

export const promiseRules: readonly Rule[] = [
  {
    name: 'swallowed-rejection',
    severity: 'important',
    title: 'A failure is swallowed',
    why: 'The caller continues as if it had worked, and no trace of the failure is left.',
    fix: 'Handle the failure, log it with its cause, or let it reach the caller.',
    matches: [
      syntaxMatch(/\bcatch\b/, {
        any: [
          { pattern: '$PROMISE.catch(() => {})' },
          { pattern: '$PROMISE.catch(($ERROR) => {})' },
          { pattern: '$PROMISE.catch($ERROR => {})' },
          { pattern: '$PROMISE.catch(function () {})' },
          { pattern: '$PROMISE.catch(function ($ERROR) {})' },
        ],
        not: { has: { kind: 'comment', stopBy: 'end' } },
      }),
    ],
  },
  {
    name: 'empty-catch',
    severity: 'important',
    title: 'An exception is caught and dropped',
    why: 'What failed, and that it failed, is lost; the code after it runs on wrong assumptions.',
    fix: 'Handle it, add context and rethrow, or say in a comment why it may be ignored.',
    matches: [
      syntaxMatch(
        /\bcatch\b/,
        { kind: 'catch_clause', has: { field: 'body', regex: '^\\{\\s*\\}$' } },
        { when: dropsFailure },
      ),
      textMatch(['python'], /^\s*except(\s+\(?(Base)?Exception\b[^:]*)?\s*:\s*pass\s*$/),
      { kind: 'change', languages: ['python'], find: exceptThenPass },
      textMatch(['java', 'csharp', 'php'], /\bcatch\s*\([^)]*\)\s*\{\s*\}/, {
        unless: /\b(ignored?|expected|unused|_)\s*\)/,
        when: (place) => !expectsFailure(tryBodyAbove(place)),
      }),
    ],
  },
  {
    name: 'async-for-each',
    severity: 'important',
    title: 'forEach does not wait for an async callback',
    why: 'The code after the loop runs before the work is done, and a rejection is unhandled.',
    fix: 'Use `for … of` with await, or await Promise.all over map.',
    matches: [
      syntaxMatch(/\bforEach\b/, '$LIST.forEach($CALLBACK)', {
        constraints: { CALLBACK: { regex: '^async\\b' } },
      }),
    ],
  },
  {
    name: 'async-predicate',
    severity: 'important',
    title: 'An async callback is used as a test',
    why: 'It returns a promise, which is always true: nothing is filtered.',
    fix: 'Await the answers first, then test them.',
    matches: [
      syntaxMatch(
        /\basync\b/,
        ['filter', 'some', 'every', 'find', 'findIndex'].map((method) => `$LIST.${method}($CALLBACK)`),
        { constraints: { CALLBACK: { regex: '^async\\b' } } },
      ),
    ],
  },
  {
    name: 'awaited-array-of-promises',
    severity: 'important',
    title: 'await on an array of promises does not wait',
    why: 'map with an async callback gives an array; awaiting an array waits for nothing.',
    fix: 'Await Promise.all over the array.',
    matches: [
      syntaxMatch(/\bawait\b/, 'await $LIST.map($CALLBACK)', {
        constraints: { CALLBACK: { regex: '^async\\b' } },
      }),
    ],
  },
  {
    name: 'async-promise-executor',
    severity: 'important',
    title: 'A promise executor is async',
    why: 'An error in it rejects a promise that no code awaits; the outer one stays pending forever.',
    fix: 'Make the function async and return the value, or keep the executor synchronous.',
    matches: [
      syntaxMatch(/\bnew\s+Promise\b/, 'new Promise($EXECUTOR)', {
        constraints: { EXECUTOR: { regex: '^async\\b' } },
      }),
    ],
  },
  {
    name: 'return-in-finally',
    severity: 'important',
    title: 'finally returns and hides the failure',
    why: 'A return in finally discards the exception or the value on its way out.',
    fix: 'Only clean up in finally; return before it.',
    matches: [
      syntaxMatch(
        /\bfinally\b/,
        { kind: 'return_statement', inside: { kind: 'finally_clause', stopBy: 'end' } },
        { when: returnsFromFinally },
      ),
    ],
  },
];

/** A `catch` without a name says that the failure is expected. */
function dropsFailure(node: SgNode): boolean {
  if (/^catch\s*\{/.test(node.text())) return false;
  const body = node.parent()?.field('body')?.text() ?? '';
  return !expectsFailure(body.replace(/^\{|\}$/g, '').split('\n'));
}

/** Ignores a function that is only defined inside `finally`, which may return. */
function returnsFromFinally(node: SgNode): boolean {
  const nearest = node
    .ancestors()
    .find((ancestor) => /function|method|finally_clause/.test(String(ancestor.kind())));
  return nearest?.kind() === 'finally_clause';
}

/** Matches `except Exception:` with `pass` on the next line, both added; passing over a single named exception is fine. */
function exceptThenPass(hunk: Hunk): readonly ChangeHit[] {
  const lines = hunk.lines.filter(({ kind }) => kind !== 'removed');
  const texts = lines.map(({ text }) => text);
  return lines.flatMap(({ kind, text, newLine }, index) => {
    const next = lines[index + 1];
    if (kind !== 'added' || newLine === null || next?.kind !== 'added') return [];
    const isDropped =
      /^\s*except(\s+\(?(Base)?Exception\b[^:]*)?\s*:\s*$/.test(text) && /^\s*pass\s*$/.test(next.text);
    return isDropped && !expectsFailure(tryBodyAbove({ texts, index }))
      ? [{ side: 'new' as const, line: newLine }]
      : [];
  });
}
