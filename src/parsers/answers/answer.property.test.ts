import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/setup/draws.ts';
import { claimClasses } from '../../tags/claims.ts';
import { severities } from '../../tags/severities.ts';
import { answerTags, type AnswerTag } from '../../tags/tags.ts';
import type { AnswerBlock, Reading, ReviewIssue } from './answer-types.ts';
import { renderFence } from '../../text/fence.ts';
import { mergeBlocks } from './merge-sections.ts';
import { readAnswer } from './read-answer.ts';
import { readCompletion } from './read-completion.ts';
import { readIssues } from '../issues/read-issues.ts';
import { readOutgoing } from './read-outgoing.ts';
import { renderAnswer, renderIssues } from './render-answer.ts';
import { sectionNamesOf } from './section-names.ts';

const runs = draws(25);
const fakeBlock = '[RESPONSE:REVIEW]\n## STRENGTHS\na\n## ISSUES\nNone\n## SUGGESTIONS\nNone\n';
const tokens = [
  fakeBlock,
  '[RESPONSE:REVIEW]',
  '[CONSULT:CLAUDE:CONTEXT]',
  '[request: review]',
  '## ISSUES',
  'ISSUES:',
  '**RISKS**',
  '### Critical',
  'None',
  '- ',
  '1. ',
  '> ',
  '```',
  '````',
  '~~~',
  '`',
  '``',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '<details>',
  '</details>',
  '<!--',
  '-->',
  '<a href="',
  '[a]: /b "',
  '![',
  '](',
  '| a | b |\n|--|--|\n',
  '---',
  '===',
  '**',
  '_',
  '\\',
  '\0',
  '\uFEFF',
  'Why:',
  'Fix:',
  'なし',
  '🔴 ',
  '`src/a.ts:41`',
  ' — ',
];
const foreignText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...tokens) }, fc.string({ unit: 'binary' })), {
    maxLength: 25,
  })
  .map((parts) => parts.join(''));

const words = [
  'total',
  'rounding',
  'the',
  'cache',
  '`sum()`',
  'is',
  '合計',
  'slow',
  '*very*',
  'lock',
  'a_b',
  '(once)',
];
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 2, maxLength: 8 })
  .map((parts) => parts.join(' '));
const proseBlock = fc.oneof(
  sentence,
  sentence.map((text) => `- ${text}\n- more`),
  sentence.map((text) => `1. ${text}`),
  sentence.map((text) => `> ${text}`),
  sentence.map((text) => `### ${text}`),
  sentence.map((text) => `| a | b |\n|---|---|\n| ${text} | 2 |`),
);
const sectionText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: proseBlock },
      foreignText.map((text) => renderFence(text, 'text')),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((blocks) => blocks.join('\n\n'));
const issueText = fc.array(proseBlock, { minLength: 1, maxLength: 3 }).map((blocks) => blocks.join('\n\n'));

const quotedLine = fc.oneof(
  fc.constantFrom(
    '',
    '  return a;',
    '\tconst b = `c`;',
    '-1,',
    '- item',
    '+ b',
    '```',
    '~~~',
    '# head',
    'Why: not',
    '日本',
  ),
  fc.string().map((line) => line.replaceAll(/[\r\n\0]/g, '')),
);
const quote = fc.record({
  text: fc
    .array(quotedLine, { minLength: 1, maxLength: 5 })
    .filter((lines) => lines.some((line) => line.trim() !== ''))
    .map((lines) => lines.join('\n')),
  side: fc.constantFrom('new' as const, 'old' as const),
});
const location = fc
  .tuple(
    fc.constantFrom(
      'src/a.ts',
      'README',
      'web/app/[id]/page.tsx',
      '文書/設計.md',
      'my dir/a b.c',
      '.env.example',
      'a',
    ),
    fc.option(fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 0, max: 20 }))),
  )
  .map(([path, lines]) =>
    lines === null
      ? { path, startLine: null, endLine: null }
      : { path, startLine: lines[0], endLine: lines[0] + lines[1] },
  );
/** An empty one removes the quoted lines. */
const replacement = fc
  .array(quotedLine, { maxLength: 5 })
  .map((lines) => lines.join('\n'))
  .filter((text) => text === '' || text.trim() !== '');
const plainIssue: fc.Arbitrary<ReviewIssue> = fc.record({
  severity: fc.constantFrom(...severities),
  severityInferred: fc.constant(false),
  title: sentence,
  text: fc.oneof(fc.constant(''), issueText),
  location: fc.option(location),
  quote: fc.option(quote),
  remedy: fc.option(issueText),
});
const issue: fc.Arbitrary<ReviewIssue> = fc
  .tuple(plainIssue, fc.option(fc.constantFrom(...claimClasses)), fc.option(replacement))
  .map(([plain, claim, instead]) => ({
    ...plain,
    ...(claim === null ? {} : { claim }),
    ...(instead === null ? {} : { replacement: instead }),
  }));
const issues = fc
  .array(issue, { maxLength: 12 })
  .map((list) => severities.flatMap((severity) => list.filter((one) => one.severity === severity)));

const answer = fc.constantFrom(...answerTags).chain((tag) =>
  fc.record({
    tag: fc.constant(tag),
    sections: fc
      .subarray(addedNames)
      .chain((added) =>
        fc.tuple(
          ...[...sectionNamesOf(tag), ...added].map((name) =>
            (name === 'ISSUES' ? issues.map(renderIssues) : sectionText).map((text) => ({ name, text })),
          ),
        ),
      ),
  }),
);

/** Sections that a skill requires in addition to the protocol's own. */
const addedNames = ['SECURITY', 'OWASP_TOP_10', 'ROLLBACK_PLAN'];

test('the readers have a value for every string', () => {
  fc.assert(
    fc.property(foreignText, fc.constantFrom<AnswerTag>(...answerTags), (text, tag) => {
      expect(readAnswer(text, tag).kind).toBeTypeOf('string');
      expect(readIssues(text).kind).toBeTypeOf('string');
      expect(Array.isArray(readCompletion(text, tag, sectionNamesOf(tag)).sections)).toBe(true);
      expect(readOutgoing(text)?.tag ?? null).not.toBe('');
    }),
    draws(70),
  );
});

test('R001-4 R001-8 X001-2.1 what is rendered is read back', () => {
  fc.assert(
    fc.property(answer, ({ tag, sections }) => {
      const reading = readAnswer(renderAnswer(tag, sections), tag, namesIn(sections));
      expect([reading.kind, sectionsOf(reading)]).toEqual(['whole', sections]);
    }),
    runs,
  );
});

/** A mark before every line may belong to the file: the reader keeps it. */
function withLiteral(rendered: ReviewIssue): ReviewIssue {
  if (rendered.quote === null) return rendered;
  const { text, side } = rendered.quote;
  const lines = text.split('\n');
  const isMarked = side === 'old' || ['-', '+'].some((mark) => lines.every((line) => line.startsWith(mark)));
  if (!isMarked) return rendered;
  const literal = lines.map((line) => `${side === 'old' ? '-' : '+'}${line}`).join('\n');
  return { ...rendered, quote: { ...rendered.quote, literal } };
}

test('R001-12.1 issues that are rendered are read back', () => {
  fc.assert(
    fc.property(issues, (list) => {
      expect(readIssues(renderIssues(list))).toEqual({ kind: 'read', issues: list.map(withLiteral) });
    }),
    draws(50),
  );
});

test('R001-12.1 the issues of an answer are those of its section read alone', () => {
  fc.assert(
    fc.property(issues, sectionText, (list, text) => {
      const sections = sectionNamesOf('[RESPONSE:REVIEW]').map((name) => ({
        name,
        text: name === 'ISSUES' ? renderIssues(list) : text,
      }));
      expect(readAnswer(renderAnswer('[RESPONSE:REVIEW]', sections), '[RESPONSE:REVIEW]')).toMatchObject({
        kind: 'whole',
        issues: list.map(withLiteral),
      });
    }),
    runs,
  );
});

test('X001-14.3 foreign text in a fence changes nothing, wherever it stands', () => {
  fc.assert(
    fc.property(answer, foreignText, ({ tag, sections }, foreign) => {
      const fenced = renderFence(foreign);
      const text = renderAnswer(tag, sections);
      const names = namesIn(sections);
      const expected = readAnswer(text, tag, names);
      expect(outcomeOf(readAnswer(`${fenced}\n\n${text}`, tag, names))).toEqual(outcomeOf(expected));
      const behind = readAnswer(`${text}\n\n${fenced}`, tag, names);
      expect([behind.kind, sectionsOf(behind).slice(0, -1)]).toEqual([
        'whole',
        sectionsOf(expected).slice(0, -1),
      ]);
      expect(readAnswer(fenced, tag).kind).toMatch(/^(marker_absent|empty)$/);
    }),
    runs,
  );
});

test('X001-6.1 the order of the sections is irrelevant', () => {
  fc.assert(
    fc.property(
      answer.chain(({ tag, sections }) =>
        fc.record({
          tag: fc.constant(tag),
          sections: fc.constant(sections),
          shuffled: fc.shuffledSubarray([...sections], { minLength: sections.length }),
        }),
      ),
      ({ tag, sections, shuffled }) => {
        const names = namesIn(sections);
        const expected = outcomeOf(readAnswer(renderAnswer(tag, sections), tag, names));
        expect(outcomeOf(readAnswer(renderAnswer(tag, shuffled), tag, names))).toEqual(expected);
      },
    ),
    runs,
  );
});

test('R001-14.2 X001-15.1,2 any split of an answer in two is merged back, byte for byte', () => {
  fc.assert(
    fc.property(answer, fc.nat(), ({ tag, sections }, seed) => {
      const left = seed % sections.length;
      const names = namesIn(sections);
      const kept = readAnswer(renderAnswer(tag, sections.slice(0, left)), tag, names);
      const added = readCompletion(renderAnswer(tag, sections), tag, names.slice(left), names).sections;
      const merged = mergeBlocks(blockOf(kept), added, names);
      expect(merged.sections.map(({ name, text }) => ({ name, text }))).toEqual(sections);
      expect(merged.missing).toEqual([]);
    }),
    runs,
  );
});

function namesIn(sections: readonly { readonly name: string }[]): readonly string[] {
  return sections.map(({ name }) => name);
}

function sectionsOf(reading: Reading): readonly { readonly name: string; readonly text: string }[] {
  return blockOf(reading).sections.map(({ name, text }) => ({ name, text }));
}

function outcomeOf(reading: Reading): unknown {
  return [reading.kind, sectionsOf(reading), reading.kind === 'whole' ? reading.issues : null];
}

function blockOf(reading: Reading): AnswerBlock {
  if (!('block' in reading)) throw new Error(`no block in ${reading.kind}`);
  return reading.block;
}
