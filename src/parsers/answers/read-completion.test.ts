import { expect, test } from 'vitest';
import type { AnswerBlock, Section } from './answer-types.ts';
import { mergeBlocks } from './merge-sections.ts';
import { judgeBlock, readAnswer } from './read-answer.ts';
import { readCompletion } from './read-completion.ts';
import { readOutgoing } from './read-outgoing.ts';

function texts(sections: readonly Section[]): readonly string[] {
  return sections.map(({ name, text }) => `${name}=${text}`);
}

function incomplete(text: string): AnswerBlock {
  const reading = readAnswer(text, '[RESPONSE:REVIEW]');
  if (reading.kind !== 'incomplete') throw new Error(`expected an incomplete answer, got ${reading.kind}`);
  return reading.block;
}

const first =
  '[RESPONSE:REVIEW]\r\n## ISSUES\r\n1. **Leak** — `a.ts:3`  \r\n\r\n   Why: open\t\r\n## STRENGTHS\r\n\r\n* tidy *\r\n';

test('R001-14.2 X001-15.1,2 only the wanted sections are taken, the kept ones stay byte for byte', () => {
  const kept = incomplete(first);
  const second = '[RESPONSE:REVIEW]\n## STRENGTHS\nother words\n## SUGGESTIONS\nadd a test\n';
  const merged = mergeBlocks(kept, readCompletion(second, '[RESPONSE:REVIEW]', kept.missing).sections);
  expect({ missing: kept.missing, merged: texts(merged.sections), left: merged.missing }).toEqual({
    missing: ['SUGGESTIONS'],
    merged: [
      'STRENGTHS=* tidy *',
      'ISSUES=1. **Leak** — `a.ts:3`  \r\n\r\n   Why: open\t',
      'SUGGESTIONS=add a test',
    ],
    left: [],
  });
  expect(judgeBlock(merged)).toMatchObject({ kind: 'whole', issues: [{ title: 'Leak', text: 'open' }] });
});

test('R001-14.2 a completion may leave out the marker', () => {
  expect(
    texts(
      readCompletion('Here it is:\n\n### SUGGESTIONS\n\nadd a test', '[RESPONSE:REVIEW]', ['SUGGESTIONS'])
        .sections,
    ),
  ).toEqual(['SUGGESTIONS=add a test']);
});

test.each([
  ['no head at all', 'add a test'],
  ['the marker of another phase', '[RESPONSE:DESIGN]\n## SUGGESTIONS\nx'],
  ['a fence', '```\n[RESPONSE:REVIEW]\n## SUGGESTIONS\nx\n```'],
  ['nothing under the head', '[RESPONSE:REVIEW]\n## SUGGESTIONS\n\n'],
  ['256 KiB', `## SUGGESTIONS\n${'x'.repeat(262_144)}`],
])('R001-14.2 X001-14.1 a completion with %s adds nothing', (_name, text) => {
  expect(readCompletion(text, '[RESPONSE:REVIEW]', ['SUGGESTIONS']).sections).toEqual([]);
});

test('R001-14.2 of several completion blocks the last one with the most wanted sections counts', () => {
  const text =
    '[RESPONSE:DESIGN]\n## RISKS\n1\n## ALTERNATIVES\na\n[RESPONSE:DESIGN]\n## RISKS\n2\n## ALTERNATIVES\nb\n[RESPONSE:DESIGN]\n## RISKS\n3';
  expect(texts(readCompletion(text, '[RESPONSE:DESIGN]', ['ALTERNATIVES', 'RISKS']).sections)).toEqual([
    'RISKS=2',
    'ALTERNATIVES=b',
  ]);
});

test('R001-14.1 what is still missing after a merge is computed again, in the order of the specification', () => {
  const kept = incomplete('[RESPONSE:REVIEW]\n## SUGGESTIONS\nNone');
  const merged = mergeBlocks(
    kept,
    readCompletion('## STRENGTHS\nS', '[RESPONSE:REVIEW]', kept.missing).sections,
  );
  expect({ sections: texts(merged.sections), missing: merged.missing }).toEqual({
    sections: ['STRENGTHS=S', 'SUGGESTIONS=None'],
    missing: ['ISSUES'],
  });
  expect(judgeBlock(merged)).toEqual({ kind: 'incomplete', block: merged, missing: ['ISSUES'] });
});

test('X001-15.2 a malformed section that was asked for again is replaced', () => {
  const reading = readAnswer(
    '[RESPONSE:REVIEW]\n## STRENGTHS\nS\n## ISSUES\nhm\n## SUGGESTIONS\nNone',
    '[RESPONSE:REVIEW]',
  );
  if (reading.kind !== 'malformed') throw new Error(reading.kind);
  const merged = mergeBlocks(
    reading.block,
    readCompletion('## ISSUES\nNone', '[RESPONSE:REVIEW]', ['ISSUES']).sections,
  );
  expect(judgeBlock(merged)).toMatchObject({ kind: 'whole', issues: [] });
});

test('X001-17.1 the last counted request tag of a lead is its consult', () => {
  const text =
    'I thought about it.\n\n[CONSULT:DESIGN]\nold\n\n**[CONSULT:REQUIREMENTS]**: who uses it?\n\n- the team\n- others\n';
  expect(readOutgoing(text)).toEqual({
    tag: '[CONSULT:REQUIREMENTS]',
    text: 'who uses it?\n\n- the team\n- others',
  });
});

test.each([
  ['a fence', '```\n[REQUEST:REVIEW]\n```'],
  ['a quote', '> [REQUEST:REVIEW]'],
  ['a list', '- [REQUEST:REVIEW]'],
  ['a sentence', 'I will send [REQUEST:REVIEW] later.'],
  ['an answer tag', '[RESPONSE:REVIEW]\n## STRENGTHS\na'],
  ['a reverse tag', '[CONSULT:CLAUDE:CONTEXT]\nq'],
  ['[CONSULT:REVIEW]', '[CONSULT:REVIEW]\nplease'],
  ['256 KiB', `[REQUEST:REVIEW]\n${'x'.repeat(262_144)}`],
])('X001-14.1 X001-17.1 %s sends nothing', (_name, text) => {
  expect(readOutgoing(text)).toBeNull();
});

test.each(['[CONSULT:REQUIREMENTS]', '[CONSULT:DESIGN]', '[CONSULT:IMPLEMENTATION]', '[REQUEST:REVIEW]'])(
  'R001-3.1 X001-17.1 recognises %s',
  (tag) => {
    expect(readOutgoing(`${tag}\n\nplease look\n\n[RESPONSE:DESIGN]\nno part of it`)).toEqual({
      tag,
      text: 'please look',
    });
  },
);

function block(issues: string): string {
  return `[RESPONSE:REVIEW]\n\n## ISSUES\n${issues}\n\n`;
}

function disagrees(text: string): boolean {
  return readCompletion(text, '[RESPONSE:REVIEW]', ['ISSUES']).disagree;
}

test.each([
  '## SUGGESTIONS\nNone\n\n## CRITICAL',
  '## SUGGESTIONS\n\n### Critical',
  '## PROBLÈMES\n\n### Critical',
])('X001-5.4 a completion without issues that states a problem under %j disagrees with itself', (heading) => {
  const text = `[RESPONSE:REVIEW]\n\n## ISSUES\nNone\n\n${heading}\n\n1. **Leak** — \`src/a.ts:3\`\n   Why: it is.\n`;
  expect(disagrees(text)).toBe(true);
  expect(disagrees(text.replace(/critical/gi, 'Notes'))).toBe(false);
});

test('X001-5.4 a completion that finds something and then nothing disagrees with itself', () => {
  const found = block('1. **The total is rounded too early**');
  expect([found + block('None'), block('It could be better.') + block('None')].map(disagrees)).toEqual([
    true,
    true,
  ]);
  expect([block('None') + found, block('None') + block('None'), '## ISSUES\nNone'].map(disagrees)).toEqual([
    false,
    false,
    false,
  ]);
});
