import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeSpecOf, reverseTags } from '../../tags/tags.ts';
import { renderRequest } from '../render-request.ts';
import {
  renderCompletion,
  renderContextAgain,
  renderCutAgain,
  renderMalformed,
  renderRepair,
  renderReverseAnswer,
} from './repair.ts';
import {
  drawnRequest,
  hostileText,
  markersOutside,
  nonce,
  reviewRequest,
  whole,
} from '../requests.test-helper.ts';

const review = exchangeSpecOf('[REQUEST:REVIEW]');
const design = exchangeSpecOf('[CONSULT:DESIGN]');

test('R001-13 X001-1.5 the request for the structure names each cause once', () => {
  const text = renderRepair(design, { causes: ['code_fence', 'code_fence', 'prose'] });
  expect(text.split('\n')[0]).toBe(
    'Your last answer had no marker line `[RESPONSE:DESIGN]` that counts. You put it into a code fence. It was in a sentence; it needs a line of its own. Send the whole answer again in the form below.',
  );
  for (const { name } of design.sections) expect(text).toContain(`- In \`## ${name}\``);
  expect(markersOutside(text)).toEqual([]);
});

test('R001-14.1 asks for the missing sections and names no other', () => {
  const text = renderCompletion(design, ['RISKS', 'RECOMMENDATION']);
  expect(design.sections.map(({ name }) => text.includes(name))).toEqual([false, true, false, true]);
  expect(text).toContain('Then write these 2 sections');
  expect(text).toContain('`[RESPONSE:DESIGN]`, on a line of its own');
  expect(renderCompletion(review, ['SUGGESTIONS'])).not.toMatch(/ISSUES|STRENGTHS|Critical/);
});

test('a malformed section is requested again with its fault', () => {
  const text = renderMalformed(review, [{ section: 'ISSUES', detail: 'neither items\nnor None' }]);
  expect(text).toContain('- `ISSUES`: neither items nor None');
  expect(text).toContain('### Critical');
  expect(text).not.toContain('STRENGTHS');
});

test('an unknown section is a bug of ours', () => {
  expect(() => renderCompletion(design, ['SECURITY'])).toThrow(RangeError);
});

test('R001-16 the context comes again whole, within the budget', () => {
  const request = reviewRequest({ optional: [{ title: 'notes', text: 'x'.repeat(400), origin: 'foreign' }] });
  const first = renderRequest(request, whole);
  const again = renderContextAgain(request, whole);
  expect(again.text).toMatch(/^Your last answer was not about this request\./);
  expect(again.text.endsWith(first.text)).toBe(true);
  expect(again.shown).toEqual(first.shown);
  const budgetCharacters = first.text.length;
  expect(renderContextAgain(request, { budgetCharacters, nonce }).text.length).toBeLessThanOrEqual(
    budgetCharacters,
  );
});

test('X001-14.1 a follow-up counts no marker but its own', () => {
  fc.assert(
    fc.property(drawnRequest, fc.constantFrom(...reverseTags), hostileText, (request, tag, text) => {
      expect(markersOutside(renderContextAgain(request, whole).text)).toEqual([request.tag]);
      const answer = tag.replace('CONSULT', 'RESPONSE');
      expect(
        markersOutside(renderReverseAnswer(tag, { sections: { CONTEXT: text, REASON: text } }, nonce)),
      ).toEqual([answer]);
      expect(markersOutside(renderReverseAnswer(tag, { declined: text }, nonce))).toEqual([answer]);
      expect(markersOutside(renderMalformed(review, [{ section: 'ISSUES', detail: text }]))).toEqual([]);
    }),
  );
});

test('the answer to a reverse request is under its own tag, section by section', () => {
  const sections = { VERDICT: 'approve', REASON: 'It holds.\nTested.' };
  const text = renderReverseAnswer('[CONSULT:CLAUDE:VERIFICATION]', { sections }, nonce);
  expect(text).toMatch(
    /^The lead answers your `\[CONSULT:CLAUDE:VERIFICATION\]`:\n\n\[RESPONSE:CLAUDE:VERIFICATION\]\n\n## VERDICT\n\napprove\n\n## REASON\n\n```markdown data-0123456789abcdef\nIt holds\.\nTested\.\n```\n/,
  );
});

test('a declined reverse request gives the reason and tells the advisor to continue', () => {
  expect(renderReverseAnswer('[CONSULT:CLAUDE:CONTEXT]', { declined: 'nobody is here' }, nonce)).toBe(
    [
      'The lead does not answer your `[CONSULT:CLAUDE:CONTEXT]`:',
      '[RESPONSE:CLAUDE:CONTEXT]',
      'Declined: `nobody is here`',
      'Continue without it: name what you had to assume, and answer the request with the block that it names.\n',
    ].join('\n\n'),
  );
});

test('a cut turn is requested again completely', () => {
  expect(renderCutAgain()).toBe(
    'Your last turn was cut before it ended. Send the whole answer, from its marker line on.\n',
  );
});
