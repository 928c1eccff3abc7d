import { expect, test } from 'vitest';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { readChange, type ChangeToRead } from './read-change.ts';

const change: ChangeToRead['change'] = {
  diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n',
  description: 'a change',
  messages: null,
  attributes: {},
  pull_request: null,
  conventions: [],
  checks: [],
  related: [],
};

test('secrets in the titles and reasons of dismissals are masked before a request is made of them', () => {
  const secret = sampleSecrets[0]?.secret ?? '';
  const settings = {
    include: [],
    exclude: [],
    focus: null,
    instructions: null,
    language: null,
    dismissed: [
      {
        rule: 'eval',
        claim: null,
        folder: null,
        count: 3,
        examples: [{ title: `calls ${secret}`, reason: `we know ${secret}` }],
      },
    ],
  };
  const { brief } = readChange({ change, settings }).counted;
  const masked = '*'.repeat(secret.length);
  expect(brief.dismissed).toEqual([
    { ...settings.dismissed[0], examples: [{ title: `calls ${masked}`, reason: `we know ${masked}` }] },
  ]);
});
