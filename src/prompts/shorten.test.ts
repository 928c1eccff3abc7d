import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderRequest } from './render-request.ts';
import type { ConsultRequest, ContextPart, RenderedPrompt } from './request.ts';
import { shortenRequest } from './shorten.ts';
import { drawnRequest, expand, fencesOf, reviewRequest, nonce, whole } from './requests.test-helper.ts';
import { diffText, linesOfDiff, modifiedFile } from '../parsers/diff/drawn-change.test-helper.ts';

const long = 'x'.repeat(900);

test('R001-15 X001-10.9 a shortened request is strictly shorter and keeps tag, question and sections', () => {
  fc.assert(
    fc.property(drawnRequest, fc.integer({ min: 2500, max: 9000 }), (request, previousCharacters) => {
      const previous = renderRequest(request, { budgetCharacters: previousCharacters, nonce }).text;
      const shorter = shortenRequest(request, previousCharacters);
      if (shorter === null) return;
      const { text, shown } = render(shorter.request);
      expect(Buffer.byteLength(text)).toBeLessThan(Buffer.byteLength(previous));
      expect(shorter.dropped).not.toEqual([]);
      const { tag, question, sections, language } = request;
      expect(shorter.request).toMatchObject({ tag, question, sections, language });
      expect(expand(shown)).toEqual(fencesOf(text, 'diff').flatMap(() => shownIn(shorter.request)));
    }),
  );
});

test('X001-10.7,8 half of the previous prompt is the budget, and optional context goes first', () => {
  const request = reviewRequest({
    required: [part('Task', 'Keep it exact.')],
    optional: Array.from({ length: 10 }, (_, index) => part(`history ${index}`, long)),
  });
  const previous = render(request).text.length;
  const shorter = shortenRequest(request, previous);
  expect(shorter?.request.required).toEqual(request.required);
  expect(shorter?.request.change).toEqual(request.change);
  const kept = shorter?.request.optional.length ?? 0;
  expect(shorter?.request.optional).toEqual(request.optional.slice(0, kept));
  expect(shorter?.dropped).toEqual(
    request.optional
      .slice(kept)
      .toReversed()
      .map(({ title }) => `context: ${title}`),
  );
  const sizes = [kept, kept + 1].map((count) =>
    render({ ...request, optional: request.optional.slice(0, count) }),
  );
  expect(sizes.map(({ text }) => text.length <= previous / 2)).toEqual([true, false]);
});

test('X001-10.8 then the unchanged lines of the diff go, then long context, then hunks from the end', () => {
  const context = Array.from({ length: 20 }, () => ['context', long] as const);
  const hunk = [...context, ['added', 'changed'] as const, ...context];
  const unchangedOnly = reviewRequest({ change: [modifiedFile('a.ts', [hunk])] });
  expect(shortenRequest(unchangedOnly, render(unchangedOnly).text.length)?.dropped).toEqual([
    'unchanged lines of the diff',
  ]);
  const history = reviewRequest({ change: null, required: [part('History', long.repeat(20))] });
  expect(shortenRequest(history, render(history).text.length)?.dropped).toEqual([
    'context: History, all but its beginning',
  ]);
  const added = Array.from({ length: 12 }, () => [['added', long] as const]);
  const hunks = reviewRequest({ change: [modifiedFile('a.ts', added)] });
  const shorter = shortenRequest(hunks, render(hunks).text.length);
  expect(shorter?.dropped).toEqual(['the diff after its first 3 lines']);
  expect(shorter?.request.change?.[0]?.hunks).toEqual(hunks.change?.[0]?.hunks.slice(0, 3));
});

test('X001-10.10 the lines that were lost are missing in what is shown', () => {
  const added = Array.from({ length: 30 }, (_, index) => ['added', `${index} ${long}`] as const);
  const request = reviewRequest({ change: [modifiedFile('new.ts', [added])] });
  const shorter = shortenRequest(request, render(request).text.length);
  const shown = shorter === null ? [] : render(shorter.request).shown;
  const end = shown[0]?.end ?? 0;
  expect(shown).toEqual([{ path: 'new.ts', side: 'new', start: 1, end }]);
  expect(end).toBeGreaterThan(5);
  expect(end).toBeLessThan(16);
});

test('R001-15.1 X001-10.11 a second shortening is shorter again, and a prompt that cannot be made shorter is final', () => {
  const request = reviewRequest({ optional: [part('a', long.repeat(4)), part('b', long.repeat(20))] });
  const lengths: number[] = [];
  let current: ConsultRequest | undefined = request;
  while (current !== undefined && lengths.length < 20) {
    const length: number = render(current).text.length;
    lengths.push(length);
    current = shortenRequest(current, length)?.request;
  }
  expect(lengths.length).toBeGreaterThan(2);
  expect(lengths).toEqual(lengths.toSorted((left, right) => right - left));
  expect(new Set(lengths).size).toBe(lengths.length);
});

function part(title: string, text: string): ContextPart {
  return { title, text, origin: 'foreign' };
}

function render(request: ConsultRequest): RenderedPrompt {
  return renderRequest(request, whole);
}

function shownIn(request: ConsultRequest): readonly string[] {
  return request.change === null ? [] : linesOfDiff(diffText(request.change));
}
