import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

test.each([
  ['src/a.ts', 'typescript'],
  ['src/a.d.mts', 'typescript'],
  ['src/A.JSX', 'javascript'],
  ['web/page.tsx', 'tsx'],
  ['Dockerfile', 'docker'],
  ['deploy/Dockerfile.worker', 'docker'],
  ['.env.production', 'settings'],
  ['Makefile', 'shell'],
  ['README.md', 'prose'],
  ['Containerfile', 'docker'],
  ['build.gradle', 'java'],
  ['LICENSE', 'other'],
  ['a.b/c', 'other'],
])('%s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});
