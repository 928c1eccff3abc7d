import { expect, test } from 'vitest';
import type { Language } from './language.ts';
import { testLinesOf } from './test-lines.ts';

/** Lines of tests end with `¶`. */
test.each<readonly [Language, string]>([
  ['typescript', "run();\nit('adds', () => { // ¶\n  run(); // ¶\n\n}); // ¶\nrun();"],
  ['typescript', 'it(run);\ntest(a, b);\nrun();'],
  ['python', 'def run():\n  pass\ndef test_run(): # ¶\n  pass # ¶\nrun()'],
  ['rust', 'fn run() {}\n#[cfg(test)] // ¶\nmod tests { // ¶\n  fn a() {} // ¶\n} // ¶\nfn other() {}'],
  ['java', '  @Test // ¶\n  @Slow // ¶\n  void a() { // ¶\n    b(); // ¶\n  } // ¶\n  void c() {}'],
  ['go', 'func TestRun(t *testing.T) { // ¶\n\trun() // ¶\n} // ¶\nfunc Testing() {}'],
  ['shell', 'it "adds" {\n}'],
])('the tests in a %s file are the openers and the lines below them', (language, text) => {
  const lines = text.split('\n');
  const expected = lines.flatMap((line, index) => (line.endsWith('¶') ? [index] : []));
  const found = [...testLinesOf(lines, language)].filter((index) => lines[index] !== '');
  expect(found).toEqual(expected);
});
