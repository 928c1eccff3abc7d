/** The pages about cost, incomplete results and privacy match the code. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { defaultBudgets } from '../../src/config/repair-budgets.ts';
import { defaultSettings } from '../../src/config/settings-table.ts';
import { workflowEndCodes } from '../../src/review/outcome/result.ts';
import { reasonCodes, unsettledReasons } from '../../src/review/outcome/reasons.ts';
import { outputAllowanceTokens } from '../../src/runs/calls/budget.ts';
import { loadProvider } from '../../src/providers/contract/registry.ts';

const repository = resolve(import.meta.dirname, '../..');

function page(name: string): string {
  return readFileSync(resolve(repository, 'references', name), 'utf8');
}

function rowsUnder(text: string, head: string): readonly (readonly string[])[] {
  const section = text.slice(text.indexOf(`## ${head}\n`)).split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
}

const incomplete = page('incomplete.md');

test('every reason has a row, in the order of the code', () => {
  const codes = rowsUnder(incomplete, 'The codes').map(([code]) => code);
  expect(codes).toEqual(reasonCodes.map((code) => `\`${code}\``));
});

test('every end of a run has a row', () => {
  const codes = rowsUnder(incomplete, 'Why a run of the phases ended').map(([code]) => code);
  expect(codes).toEqual(workflowEndCodes.map((code) => `\`${code}\``));
});

test('a row has an outcome, a meaning and a remedy, and no unsettled reason is called clean', () => {
  const rows = rowsUnder(incomplete, 'The codes');
  expect(rows.filter((row) => row.length !== 4 || row.some((cell) => cell.trim() === ''))).toEqual([]);
  const unsettled = new Set(Object.values(unsettledReasons).map(({ code }) => `\`${code}\``));
  const called = rows.filter(([code = '']) => unsettled.has(code)).map(([, outcome]) => outcome);
  expect(called.filter((outcome) => !/^(failed, )?incomplete$/.test(outcome ?? ''))).toEqual([]);
});

test('the page about cost has the bounds and figures of the code', () => {
  const cost = page('cost.md').replaceAll(/\s+/g, ' ');
  const { repairing, completing, recontextualising, shortening, waiting, answering } = defaultBudgets;
  expect(cost).toContain(
    `the structure (${repairing}), for missing sections (${completing}), for the context (${recontextualising}), with a shorter prompt (${shortening}), after an overload (${waiting}), for the lead's answer to a question of the advisor (${answering}); six attempts`,
  );
  expect(defaultBudgets.attempts).toBe(6);
  expect(cost).toContain(`about ${defaultSettings.chunk_tokens.toLocaleString('en-US')} tokens of diff`);
  expect(cost).toContain(`${outputAllowanceTokens.toLocaleString('en-US')} tokens for the answer`);
});

test('the page about cost says of each agent in its table whether it reports a price', async () => {
  const rows = rowsUnder(page('cost.md'), 'What was used');
  expect(rows.length).toBeGreaterThanOrEqual(3);
  for (const [names = '', , price = ''] of rows) {
    for (const name of names.replaceAll('`', '').split(', ')) {
      const provider = await loadProvider(name);
      expect([name, price.startsWith('no')]).toEqual([name, provider.price === undefined]);
    }
  }
});

test('the tests that the page about privacy names exist', () => {
  const named = [...page('privacy.md').matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/g)].map(
    ([, file]) => file ?? '',
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !existsSync(resolve(repository, file)))).toEqual([]);
});

test('the README leads to all three pages', () => {
  const readme = readFileSync(resolve(repository, 'README.md'), 'utf8');
  for (const name of ['cost.md', 'incomplete.md', 'privacy.md'])
    expect(readme).toContain(`](references/${name})`);
});
