// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { ReviewResult } from '../../../src/client/run-events.ts';
import { exampleResult } from '../../../src/review/outcome/result.test-helper.ts';
import { OutcomeBanner, fileShares } from './outcome-banner.tsx';

afterEach(cleanup);

function banner(changes: Partial<ReviewResult>): HTMLElement {
  return render(<OutcomeBanner result={exampleResult(changes)} />).container;
}

function textsIn(page: HTMLElement, selector: string): readonly string[] {
  return [...page.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
}

const plain: Partial<ReviewResult> = { reasons: [], exchanges: [] };
const proof = (outcome: string) => `${outcome}. Each reviewed line was in the prompt`;

test.each<[string, Partial<ReviewResult>, string, string | null, boolean]>([
  ['clean', { outcome: 'clean' }, 'Clean', proof('nothing that counts was found'), false],
  ['findings', { outcome: 'findings' }, 'Findings', proof('there is something to look at'), false],
  ['incomplete', { outcome: 'incomplete' }, 'Incomplete', 'This is not a clean result.', true],
  [
    'failed',
    { outcome: 'failed', assurance: 'none' },
    'Failed',
    'Nothing was reviewed. No model looked.',
    true,
  ],
  [
    'clean by rules alone',
    { outcome: 'clean', assurance: 'static' },
    'Clean',
    'Nothing that counts was found. Static checks only: no model looked.',
    false,
  ],
  ['running', { state: 'running' }, 'Not finished: the review is running', null, false],
  ['without a review', { outcome: null }, 'Done: no review among the phases', null, true],
])(
  'a review that is %s has its heading, its meaning, and open details unless all is shown',
  (_what, changes, head, meaning, isOpen) => {
    const page = banner({ ...plain, ...changes });
    expect(textsIn(page, 'h2')).toEqual([head]);
    const said = textsIn(page, '.outcome > div > p, .outcome > p');
    expect(said).toHaveLength(meaning === null ? 0 : 1);
    expect(said.join('')).toContain(meaning ?? '');
    expect(page.querySelector('details')?.open).toBe(isOpen);
  },
);

test.each([
  [{ outcome: 'clean' }, 'good'],
  [{ outcome: 'clean', assurance: 'static' }, 'neutral'],
  [{ outcome: 'findings' }, 'yellow'],
  [{ outcome: 'nothing_reviewed', assurance: 'none' }, 'orange'],
  [{ outcome: 'incomplete' }, 'orange'],
  [{ outcome: 'failed' }, 'red'],
  [{ state: 'interrupted' }, 'orange'],
] as const)('%o has the color %s and an icon', (changes, color) => {
  const shown = banner(changes).querySelector('.outcome');
  expect(shown?.className.split(' ')).toContain(color);
  expect(shown?.querySelector('svg')?.childElementCount).toBeGreaterThan(0);
  expect(shown?.getAttribute('aria-label')).toBe('Review');
});

test('nothing was looked at if no model reviewed a line', () => {
  const { coverage } = exampleResult();
  const shown = banner({
    ...plain,
    outcome: 'nothing_reviewed',
    assurance: 'none',
    coverage: { ...coverage, lines_reviewed: 0, lines_scanned: 1 },
  });
  expect(shown.textContent).toContain('Nothing was looked at.');
});

test('the details have the coverage, the second opinion, what was known and what is from the cache', () => {
  const { findings } = exampleResult();
  const page = banner({
    findings,
    reasons: ['findings_at_threshold: 1 finding critical, 1 in all'],
    second_opinion: { state: 'given', asked: ['F1'], same_family: true, detail: 'by the advisor' },
    exchanges: exampleResult().exchanges.map((exchange) => ({
      ...exchange,
      cached: { run_id: 'r-0', answered_at: '2026-11-20T09:30:30.000Z' },
    })),
  });
  expect(textsIn(page, 'details > ul:first-of-type > li')).toEqual([
    '2 of 3 changed lines reviewed',
    '1 file reviewed',
    '1 file skipped',
    'Every Critical and Important finding was checked again.',
    'by the advisor',
    'Lead and advisor are of the same family.',
    'Since the baseline r-0: 1 new, 0 still there, 1 fixed.',
    '0 findings suppressed by collab.suppressions.yaml; 1 entry of it expired.',
    '1 of 1 exchange answered from the cache: the same lines were reviewed before.',
  ]);
  expect(page.querySelector('ul[aria-label="Reasons"] > li')?.textContent).toBe(
    '1 finding critical, 1 in all',
  );
});

test('what does not apply is left out', () => {
  const { baseline: _baseline, suppressions: _suppressions, ...others } = exampleResult(plain);
  const { container } = render(
    <OutcomeBanner
      result={{
        ...others,
        second_opinion: { state: 'not_needed', detail: null, asked: [], same_family: true },
      }}
    />,
  );
  expect(textsIn(container, 'li')).toEqual([
    '2 of 3 changed lines reviewed',
    '1 file reviewed',
    '1 file skipped',
    'No finding needed a second opinion.',
  ]);
});

test('a masked secret is named by its kind and its place, or by the answer that held it', () => {
  const page = banner({
    covered_secrets: [
      { in: 'change', rule: 'github_token', path: 'a.ts', line: 7, side: 'new', exchange: null },
      { in: 'answer', rule: 'npmrc_auth', path: null, line: null, side: null, exchange: 'chunk-1' },
    ],
  });
  expect(textsIn(page, 'details > p')).toEqual(['2 secrets masked:']);
  expect(textsIn(page, 'details > p + ul > li')).toEqual([
    'a.ts:7 (github_token)',
    'in an answer (npmrc_auth)',
  ]);
});

test('files are counted by status; one that does not occur is left out', () => {
  const { files } = exampleResult().coverage;
  expect(fileShares(files)).toEqual([
    { name: 'reviewed', value: 1 },
    { name: 'skipped', value: 1 },
  ]);
});
