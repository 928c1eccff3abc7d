import { describe, expect, test } from 'vitest';
import { commentOf, isCommentLine, languageOf } from './language.ts';

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
  ['LICENSE', 'other'],
  ['a.b/c', 'other'],
])('%s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

describe('a comment', () => {
  test('starts at the beginning of a line or after a space, so a URL contains none', () => {
    expect(commentOf("fetch('https://shop.test'); // TODO", 'typescript')).toBe('// TODO');
    expect(commentOf("fetch('https://shop.test');", 'typescript')).toBeNull();
    expect(commentOf('  # later', 'python')).toBe('# later');
    expect(commentOf('SELECT 1; -- later', 'sql')).toBe('-- later');
  });

  test('is a whole line only if nothing precedes it', () => {
    expect(isCommentLine('   * eval(text)', 'typescript')).toBe(true);
    expect(isCommentLine('run(); // eval(text)', 'typescript')).toBe(false);
    expect(isCommentLine('# Title', 'prose')).toBe(false);
  });
});
