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

test('an error without a code is marked as English, and hides no text direction', () => {
  const page = shown('the file x‮gpj.exe is gone', 'ja');
  expect(page.querySelector('[lang=en]')?.textContent).toBe(page.textContent);
  expect(page.textContent).not.toContain('‮');
});
