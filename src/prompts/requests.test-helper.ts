/**
 * Requests for the tests of this folder: random ones with hostile text, and an oracle that reads prompts with remark.
 */
import fc from 'fast-check';
import type { Root, RootContent } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { drawnChange, hostileLine, modifiedFile } from '../parsers/diff/drawn-change.test-helper.ts';
import type { LineRange } from '../parsers/diff/types.ts';
import { exchangeSpecOf, exchangeSpecs } from '../tags/tags.ts';
import type { ConsultRequest, ContextPart } from './request.ts';

/** Names the fences of rendered prompts. */
export const nonce = '0123456789abcdef';
export const whole = { budgetCharacters: null, nonce } as const;

export const hostileText = fc.array(hostileLine, { maxLength: 8 }).map((lines) => lines.join('\n'));

const drawnPart: fc.Arbitrary<ContextPart> = fc.record({
  title: hostileLine,
  text: hostileText,
  origin: fc.constantFrom('trusted', 'foreign'),
});

/** The additional sections of a skill; their words come from a file and are not searched for tags. */
const skillSections = [
  { name: 'SECURITY', asks: 'say who could misuse it' },
  { name: 'OWASP_TOP_10', asks: 'answer, as in [RESPONSE:REVIEW], point by point' },
];

export const drawnRequest: fc.Arbitrary<ConsultRequest> = fc
  .record({
    spec: fc.constantFrom(...exchangeSpecs),
    added: fc.subarray(skillSections),
    question: hostileText,
    required: fc.array(drawnPart, { maxLength: 2 }),
    optional: fc.array(drawnPart, { maxLength: 3 }),
    change: fc.option(drawnChange),
    language: fc.constantFrom(null, 'ja', 'en'),
  })
  .map(({ spec, added, ...rest }) => ({
    ...rest,
    tag: spec.request,
    sections: [...spec.sections, ...added],
  }));

export function reviewRequest(overrides: Partial<ConsultRequest> = {}): ConsultRequest {
  return {
    tag: '[REQUEST:REVIEW]',
    question: 'Does the total stay exact?',
    sections: exchangeSpecOf('[REQUEST:REVIEW]').sections,
    required: [],
    optional: [],
    change: [
      modifiedFile('src/total.ts', [
        [
          ['context', 'a'],
          ['removed', 'b'],
          ['added', 'c'],
        ],
      ]),
    ],
    language: null,
    ...overrides,
  };
}

/** Lines that look like a marker outside of fences, quotes and lists. */
export function markersOutside(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return parse(text)
    .children.filter((node) => !['code', 'blockquote', 'list'].includes(node.type))
    .flatMap((node) => lines.slice((node.position?.start.line ?? 1) - 1, node.position?.end.line))
    .filter((line) => /^[\s#*`<]*\[\s*(CONSULT|REQUEST|RESPONSE)\b/i.test(line));
}

/** The contents of the fences with this language. */
export function fencesOf(text: string, language: string): readonly string[] {
  return parse(text).children.flatMap((node) => (isFence(node, language) ? [node.value] : []));
}

/** The headings that a reader of the text sees, as their plain words. */
export function headingsOf(text: string): readonly string[] {
  return parse(text).children.flatMap((node) =>
    node.type === 'heading'
      ? [node.children.map((child) => ('value' in child ? child.value : '')).join('')]
      : [],
  );
}

/** All text in code: fences, indented code and code spans. */
export function codeOf(text: string): readonly string[] {
  const inside = (node: Root | RootContent): readonly string[] => {
    if (node.type === 'code' || node.type === 'inlineCode') return [node.value];
    return 'children' in node ? node.children.flatMap(inside) : [];
  };
  return inside(parse(text));
}

function parse(text: string): Root {
  return unified().use(remarkParse).parse(text);
}

function isFence(node: RootContent, language: string): node is Extract<RootContent, { type: 'code' }> {
  return node.type === 'code' && node.lang === language;
}

/** `path side line` for every line of the ranges, sorted. */
export function expand(ranges: readonly LineRange[]): readonly string[] {
  return ranges
    .flatMap(({ path, side, start, end }) =>
      Array.from({ length: end - start + 1 }, (_, index) => `${path} ${side} ${start + index}`),
    )
    .toSorted();
}
