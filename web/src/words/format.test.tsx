// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LanguageContext } from './language.tsx';
import { useFormat } from './format.ts';
import type { PageLanguage } from './words.ts';

function formatIn(language: PageLanguage) {
  const { result } = renderHook(useFormat, {
    wrapper: ({ children }) => (
      <LanguageContext value={{ language, choose: () => undefined }}>{children}</LanguageContext>
    ),
  });
  return result.current;
}

function refuse(): never {
  throw new Error('made a format');
}

test('a view makes no format of Intl, except for an age', () => {
  const { DateTimeFormat, NumberFormat } = Intl;
  Object.assign(Intl, { DateTimeFormat: refuse, NumberFormat: refuse });
  try {
    expect(formatIn('en').count(1234)).toBe('1,234');
    expect(formatIn('ja').time('2026-11-30T00:05:09Z')).toMatch(/:05:09$/);
  } finally {
    Object.assign(Intl, { DateTimeFormat, NumberFormat });
  }
});

test.each(['en', 'ja'] as const)('times and numbers read as Intl writes them, in %s', (language) => {
  const format = formatIn(language);
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const between = { min: new Date('2001-01-01'), max: new Date('2099-12-31'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(between), (date) => {
      expect(format.moment(date.toISOString())).toBe(moment.format(date));
      expect(format.time(date.toISOString())).toBe(time.format(date));
    }),
  );
  const number = new Intl.NumberFormat(language);
  const usd = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 6,
  });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 999_999 }), (count, micro) => {
      expect(format.count(count)).toBe(number.format(count));
      const dollars = Number(`${count % 100_000}.${String(micro).padStart(6, '0')}`);
      expect(format.usd(dollars)).toBe(usd.format(dollars));
    }),
  );
});

test('a time that cannot be read is shown as it was sent', () => {
  expect(formatIn('en').moment('soon')).toBe('soon');
});
