import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exchangeMachine } from '../../src/machine/exchange/exchange-machine.ts';
import { rungOf } from '../../src/machine/exchange/ladder.ts';
import { exchangeSpecs, findingSpec, reverseSpecs } from '../../src/tags/tags.ts';

const root = join(import.meta.dirname, '../..');
const protocol = readFileSync(join(root, 'references/protocol.md'), 'utf8');

test('R001-2 the protocol is byte for byte the same in references/ and in the skill', () => {
  const copy = readFileSync(join(root, 'skills/codex-collab/references/protocol.md'));
  expect(copy.equals(readFileSync(join(root, 'references/protocol.md')))).toBe(true);
});

test('R001-1.1 R001-6 the protocol names both roles and draws the phases in order', () => {
  expect(protocol).toContain('**Lead (主導): Claude Code.**');
  expect(protocol).toContain('**Advisor (相談役): Codex.**');
  const drawing = protocol.slice(protocol.indexOf('```\n┌'), protocol.indexOf('## Tags'));
  const drawn = [...drawing.matchAll(/\[[A-Z:]+\]/g)].map(([tag]) => tag);
  expect(drawn).toEqual(exchangeSpecs.flatMap(({ request, answer }) => [request, answer]));
  expect(exchangeSpecs.map(({ phase }) => phase)).toEqual([
    'requirements',
    'design',
    'implementation',
    'review',
  ]);
});

test('R001-3.1 R001-4 R001-5 the tables of tags are the tag table of the code', () => {
  expect(rowsUnder('### Lead → advisor')).toEqual(
    exchangeSpecs.map(({ request, phase, purpose, answer }) => [code(request), phase, purpose, code(answer)]),
  );
  expect(rowsUnder('### Advisor → lead (reverse requests, 逆方向)')).toEqual(
    reverseSpecs.map(({ request, purpose, answer }) => [code(request), purpose, code(answer)]),
  );
});

test('X001-7.3 the answer tags of reverse requests are marked as our extension', () => {
  const [, below = ''] = protocol.split('### Advisor → lead (reverse requests, 逆方向)');
  expect(below.split('\n### ')[0]).toContain('The two answer tags in this table are our extension');
});

test('the table of the second opinion equals the code’s tag table', () => {
  expect(rowsUnder('### The second opinion (our extension)')).toEqual([
    [code(findingSpec.answer), findingSpec.purpose],
  ]);
});

test('the table of sections equals the code’s tag table', () => {
  expect(rowsUnder('## Sections (応答セクション)')).toEqual(
    [...exchangeSpecs, ...reverseSpecs, findingSpec].flatMap(({ answer, sections }) =>
      sections.map(({ name, asks }) => [code(answer), code(name), asks]),
    ),
  );
});

test('the diagram of an exchange has its states, and each rejection leads to its rung', () => {
  const drawing = /## An exchange\n[^]*?```\n([^]*?)```/.exec(protocol)?.[1] ?? '';
  const states = Object.keys(exchangeMachine.config.states ?? {});
  expect(states.length).toBeGreaterThan(5);
  expect(states.filter((state) => !new RegExp(String.raw`\b${state}\b`).test(drawing))).toEqual([]);
  const lines = drawing.split('\n');
  const lost = Object.entries(rungOf).filter(
    ([reason, rung]) =>
      !lines.some(
        (line) => line.includes(reason.replace('_', ' ')) && line.includes(` → ${rung ?? 'unavailable'}`),
      ),
  );
  expect(lost).toEqual([]);
});

/** The cells of the first table under a heading, without its header. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const lines = protocol.slice(protocol.indexOf(`\n${heading}\n`) + heading.length + 2).split('\n');
  const start = lines.findIndex((line) => line.startsWith('| ---'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 1, end).map((line) => line.slice(2, -2).split(' | '));
}

function code(text: string): string {
  return `\`${text}\``;
}
