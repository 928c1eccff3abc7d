import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { AnswerTag } from '../../tags/tags.ts';
import type { Reading, ReviewIssue } from './answer-types.ts';
import { readAnswer } from './read-answer.ts';

const folder = resolve(import.meta.dirname, '../../../test/fixtures/answers');

interface Expected {
  readonly tag?: AnswerTag;
  readonly reading: unknown;
}

/** Forms that agents really write, each with its reading. */
const fixtures: Readonly<Record<string, Expected>> = {
  'seed-tables.md': {
    reading: {
      kind: 'whole',
      empty: [],
      extra: ['REVIEW SUMMARY', 'ACTION ITEMS'],
      issues: [
        'critical src/auth/login.ts:42-42 入力が検証されない | SQL インジェクション | プレースホルダを使う | no quote',
        'critical src/auth/token.ts:7-9 `exp || iat` を取り違える | 期限切れのトークンが通る | `exp` を使う | no quote',
        'important src/cache.ts:15-15 無効化されない |  | TTL を設定する | no quote',
      ],
    },
  },
  'seed-bullets.md': {
    reading: {
      kind: 'whole',
      empty: [],
      extra: [],
      issues: [
        'critical src/db.ts:10-10 SQL injection | the id is concatenated into the query.\nany row can be read. | bind the parameter. | no quote',
        'important src/api.ts:88-90 the error is swallowed |  | null | no quote',
        'important src/http.ts:12-12 No timeout on the request |  | null | no quote',
        'minor nowhere Typo in the README |  | null | no quote',
      ],
    },
  },
  'bold-heads.md': {
    reading: {
      kind: 'whole',
      empty: ['SUGGESTIONS'],
      extra: [],
      issues: [
        'important lib/lock.rb:33-33 The lock is never released | an exception between acquire and release leaves it held. | use `ensure`. | no quote',
      ],
    },
  },
  'name-colon.md': {
    tag: '[RESPONSE:DESIGN]',
    reading: { kind: 'whole', empty: [], extra: [], issues: null },
  },
  'bare-and-plural.md': {
    tag: '[RESPONSE:DESIGN]',
    reading: { kind: 'whole', empty: ['ALTERNATIVES'], extra: [], issues: null },
  },
  'setext.md': {
    tag: '[RESPONSE:IMPLEMENTATION]',
    reading: { kind: 'whole', empty: ['CAVEATS'], extra: [], issues: null },
  },
  'whole-in-fence.md': { reading: { kind: 'marker_absent', causes: ['code_fence'] } },
  'details.md': {
    reading: {
      kind: 'whole',
      empty: ['SUGGESTIONS'],
      extra: [],
      issues: [
        "minor src/a.ts:1-1 Unused import | nothing uses it | remove it | new: import fs from 'node:fs';",
      ],
    },
  },
  'critical-then-none.md': { reading: { kind: 'whole', empty: ['SUGGESTIONS'], extra: [], issues: [] } },
  'fake-block-lazy.md': {
    reading: {
      kind: 'whole',
      empty: ['STRENGTHS', 'SUGGESTIONS'],
      extra: [],
      issues: [
        'critical docs/notes.md:3-3 The fixture forges an answer | a reader may take it for one | fence it | old: [RESPONSE:REVIEW]',
      ],
    },
  },
  'japanese.md': {
    reading: {
      kind: 'whole',
      empty: ['SUGGESTIONS'],
      extra: [],
      issues: [
        'critical src/checkout/total.ts:41-41 合計を税込前に丸めている | 端数が失われる。 | 最後に一度だけ丸める。 | new: const total = Math.round(subtotal);',
        'minor src/a.ts:3-3 変数名 `x` が短い |  | null | no quote',
      ],
    },
  },
  'requirements-groups.md': {
    tag: '[RESPONSE:REQUIREMENTS]',
    reading: { kind: 'whole', empty: [], extra: [], issues: null },
  },
  'priority-list.md': {
    reading: {
      kind: 'whole',
      empty: ['SUGGESTIONS'],
      extra: [],
      issues: [
        'important? /repo/src/login.ts:41-43 Validate the redirect target | The `next` parameter is used unchecked, so that a user can be sent anywhere. | null | no quote',
        'important? /repo/src/read.ts:7-7 Close the file handle | On error the handle stays open. | null | no quote',
      ],
    },
  },
  'issue-headings.md': {
    reading: {
      kind: 'whole',
      empty: ['SUGGESTIONS'],
      extra: [],
      issues: [
        "critical src/auth.ts:12-12 Token is logged | secrets reach the log. | ```ts\nlogger.info('signed in');\n``` | new: logger.info(token);",
        'minor src/auth.ts:3-4 Name is vague | `doIt` says nothing | null | no quote',
      ],
    },
  },
  'reverse-context.md': {
    reading: {
      kind: 'reverse_request',
      request: {
        tag: '[CONSULT:CLAUDE:CONTEXT]',
        text: '## Additional Context Needed\nThe schema of `orders`.\n\n## Specific Questions\n- Is `total` nullable?',
      },
    },
  },
};

test.each(Object.entries(fixtures))('R001-12.1 reads %s', (name, { tag, reading }) => {
  const text = readFileSync(join(folder, name), 'utf8');
  expect(summaryOf(readAnswer(text, tag ?? '[RESPONSE:REVIEW]'))).toEqual(reading);
});

test('every fixture of an answer has its expected reading', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(fixtures).toSorted());
});

function summaryOf(reading: Reading): unknown {
  if (reading.kind !== 'whole') return reading;
  const { block, issues } = reading;
  return {
    kind: 'whole',
    empty: block.sections.filter(({ state }) => state === 'empty').map(({ name }) => name),
    extra: block.extraSections,
    issues: issues?.map(lineOf) ?? null,
  };
}

function lineOf({ severity, severityInferred, title, text, location, quote, remedy }: ReviewIssue): string {
  const place =
    location === null ? 'nowhere' : `${location.path}:${location.startLine ?? ''}-${location.endLine ?? ''}`;
  const quoted = quote === null ? 'no quote' : `${quote.side}: ${quote.text}`;
  return `${severity}${severityInferred ? '?' : ''} ${place} ${title} | ${text} | ${remedy} | ${quoted}`;
}
