import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingVerdictWords } from '../../tags/tags.ts';
import { renderFence } from '../../text/fence.ts';
import { readVerdicts, type FindingVerdict } from './read-verdicts.ts';

function block(id: string, word: string, evidence = 'None', reason = 'Because.'): string {
  return `[RESPONSE:FINDING]: ${id}\n\n## VERDICT\n${word}\n\n## EVIDENCE\n${evidence}\n\n## REASON\n${reason}\n`;
}

function problemOf(text: string, ids: readonly string[] = ['F1'], id = 'F1'): string | null {
  const reading = readVerdicts(text, ids).get(id);
  return reading?.kind === 'unreadable' ? reading.problem : null;
}

function verdictOf(text: string, ids: readonly string[] = ['F1'], id = 'F1'): FindingVerdict | null {
  const reading = readVerdicts(text, ids).get(id);
  return reading?.kind === 'read' ? reading.verdict : null;
}

test('a verdict has a word, quotations with their places, and a reason', () => {
  const evidence =
    'It is here, in `src/a.ts:12-13`:\n```ts\none();\ntwo();\n```\nand\n1. `src/b.ts`\n   ```\n   three();\n   ```';
  expect(verdictOf(block('F1', 'reject', evidence))).toEqual({
    word: 'reject',
    quotations: [
      { location: { path: 'src/a.ts', startLine: 12, endLine: 13 }, text: 'one();\ntwo();' },
      { location: { path: 'src/b.ts', startLine: null, endLine: null }, text: 'three();' },
    ],
    reason: 'Because.',
  });
});

test('the id may be omitted only if one finding was asked about', () => {
  const text = block('F1', 'confirm').replace(': F1', '');
  expect(verdictOf(text)).toMatchObject({ word: 'confirm', quotations: [] });
  expect(problemOf(text, ['F1', 'F2'])).toBe('has no block [RESPONSE:FINDING] for it');
});

test('each finding has its own block; a missing one is unreadable', () => {
  const text = `${block('F2', '**Reject.**')}\n${block('f1', 'unsure')}\n${block('F9', 'confirm')}`;
  const words = ['F1', 'F2', 'F3'].map((id) => verdictOf(text, ['F1', 'F2', 'F3'], id)?.word ?? null);
  expect(words).toEqual(['unsure', 'reject', null]);
});

describe('unreadable is', () => {
  test.each([
    ['an answer without the marker', 'I confirm it.', /no block \[RESPONSE:FINDING\]/],
    ['a block in a fence', renderFence(block('F1', 'reject')), /no block/],
    ['a block in a quote', block('F1', 'reject').replaceAll(/^/gm, '> '), /no block/],
    [
      'a block without its sections',
      '[RESPONSE:FINDING]\n\n## VERDICT\nreject\n',
      /no section EVIDENCE, REASON/,
    ],
    ['a word that is none of the three', block('F1', 'maybe'), /the verdict "maybe", not one of confirm/],
    ['a word in a sentence', block('F1', 'I would not reject it'), /the verdict "I would not/],
    [
      'two blocks that disagree',
      block('F1', 'confirm') + block('F1', 'reject'),
      /several verdicts that disagree/,
    ],
    ['an answer above 256 KiB', block('F1', 'confirm') + ' '.repeat(262_144), /256 KiB is the limit/],
  ])('%s', (_what, text, problem) => {
    expect(problemOf(text)).toMatch(problem);
  });
});

test('any text has a reading for each finding', () => {
  const piece = fc.constantFrom(
    '[RESPONSE:FINDING]: F1\n',
    '## VERDICT\n',
    'reject\n',
    '```\n',
    '> ',
    '## REASON\n',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      expect([...readVerdicts(pieces.join(''), ['F1', 'F2']).keys()]).toEqual(['F1', 'F2']);
    }),
  );
});

test('the content of an evidence fence changes neither the verdict nor the reason', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme-ascii' }),
    fc.constantFrom('[RESPONSE:FINDING]: F1', '## VERDICT', 'confirm', '```', '## REASON', '</details>'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...findingVerdictWords), fc.array(line, { minLength: 1 }), (word, lines) => {
      const quoted = lines.join('\n').replaceAll(/[\r\n]+/g, '\n');
      const verdict = verdictOf(block('F1', word, `\`src/a.ts:3\`\n${renderFence(quoted)}`));
      expect(verdict).toMatchObject({ word, reason: 'Because.', quotations: [{ text: quoted }] });
    }),
  );
});
