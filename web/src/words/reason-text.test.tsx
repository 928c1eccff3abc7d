// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { reasonCodes } from '../../../src/client/review.ts';
import { LanguageContext } from './language.tsx';
import type { PageLanguage } from './words.ts';
import { ReasonText } from './reason-text.tsx';

afterEach(cleanup);

function shown(reason: string, language: PageLanguage): HTMLElement {
  const choice = { language, choose: () => undefined };
  return render(
    <LanguageContext value={choice}>
      <ReasonText reason={reason} />
    </LanguageContext>,
  ).container;
}

test('in English a reason is the sentence of the server', () => {
  expect(shown('lines_not_shown: 3 changed lines of a.ts', 'en').textContent).toBe('3 changed lines of a.ts');
});

test.each(reasonCodes)(
  'in Japanese the reason %s has a sentence; English is only behind it, and marked',
  (code) => {
    const page = shown(`${code}: the English words`, 'ja');
    const foreign = page.querySelector('[lang=en]')?.textContent ?? '';
    const own = page.textContent.replace(foreign, '');
    expect(own).toMatch(/[ぁ-ん]/);
    expect(own).not.toMatch(/English|_/);
    expect(['', 'the English words']).toContain(foreign);
  },
);

test('a sentence of the server begins with a capital, unless its first word is a path', () => {
  expect(shown('no_findings: every exchange settled, no finding counts', 'en').textContent).toBe(
    'Every exchange settled, no finding counts',
  );
  cleanup();
  expect(shown('file_unreadable: src/a.ts cannot be read', 'en').textContent).toBe('src/a.ts cannot be read');
});

test.each([
  ['findings_at_threshold: 8 findings critical, 19 in all', '(全 19 件のうち 8 件)'],
  ['findings_at_threshold: 1 finding important or worse, 2 in all', '(全 2 件のうち 1 件)'],
  ['findings_below_threshold: 2 findings, none critical', '(2 件)'],
  ['findings_below_threshold: 1 finding, which never fail this review', '(1 件)'],
  ['findings_below_threshold: 2 findings, none critical; 1 beside', '(2 findings, none critical; 1 beside)'],
])('in Japanese the numbers of findings need no English: %s', (reason, counts) => {
  expect(shown(reason, 'ja').textContent.endsWith(` ${counts}`)).toBe(true);
});

test('a long sentence is folded, and nothing of it is lost', () => {
  const words = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');
  const page = shown(`second_opinion_missing: ${words}`, 'en');
  const start = page.querySelector('summary')?.textContent ?? '';
  expect(start).toMatch(/^word0 .* …$/);
  expect(start.length).toBeLessThan(330);
  expect(page.textContent.replace(' …', ' ')).toBe(words);
});

test('an error without a code is marked as English, and hides no text direction', () => {
  const page = shown('the file x‮gpj.exe is gone', 'ja');
  expect(page.querySelector('[lang=en]')?.textContent).toBe(page.textContent);
  expect(page.textContent).not.toContain('‮');
});
