import { expect, test } from 'vitest';
import { createPaint } from './paint.ts';
import { paintPatch, renderPatch } from './patch.ts';

const patch = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';

test('a patch is a fenced block that no line of it ends', () => {
  expect(renderPatch(patch, 'more')).toBe(`\`\`\`diff\n${patch}\`\`\``);
  expect(renderPatch('+```\n', 'more')).toBe('````diff\n+```\n````');
});

test('a long patch is cut at a line, and the command that prints all of it is named', () => {
  const lines = Array.from({ length: 402 }, (_, line) => `+${line}`).join('\n');
  const text = renderPatch(lines, 'collab apply r1 --patch');
  expect(text).toContain('\n+399\n```\n\n2 more lines: `collab apply r1 --patch` prints the whole patch.');
  const wide = renderPatch(`+${'x'.repeat(40_000)}\n+${'y'.repeat(40_000)}`, 'it');
  expect(wide).toMatch(/x\n```\n\n1 more line: `it` prints the whole patch\.$/);
});

test('the lines of a patch are colored', () => {
  const color = createPaint(true);
  expect(paintPatch('@@ -1 +1 @@\n-one\n+two\n same', color)).toBe(
    '\u001b[36m@@ -1 +1 @@\u001b[39m\n\u001b[31m-one\u001b[39m\n\u001b[32m+two\u001b[39m\n same',
  );
  expect(paintPatch('--- a/a.txt', color)).toBe('\u001b[1m--- a/a.txt\u001b[22m');
});
