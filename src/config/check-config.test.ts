import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CollabError } from '../errors/collab-error.ts';
import { checkConfig } from './check-config.ts';

const token = fc.constantFrom(
  'fail_on',
  'limits',
  'reports',
  'providers',
  ': ',
  ':\n  ',
  '\n',
  '- ',
  '{',
  '}',
  '[',
  ']',
  ', ',
  '"',
  "'",
  '|\n',
  '&a ',
  '*a',
  '!!set ',
  '? ',
  '# ',
  'minor',
  '30s',
  '1',
  'null',
  '__proto__',
  '<<',
  '\t',
  '\u0000',
  '%YAML',
  '---\n',
);

test('any text is a configuration or an error with its position', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(token, { maxLength: 12 }).map((parts) => parts.join('')),
      ),
      (text) => {
        expect(verdictOn(text)).toMatch(/^(?:accepted$|config c\.yaml:\d+:\d+: .)/);
      },
    ),
    { numRuns: 1000 },
  );
});

function verdictOn(text: string): string {
  try {
    return typeof checkConfig(text, 'c.yaml').config === 'object' ? 'accepted' : 'no object';
  } catch (error) {
    if (error instanceof CollabError) return `${error.code} ${error.message}`;
    throw error;
  }
}
