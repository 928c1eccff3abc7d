import { expect, test } from 'vitest';
import { createPaint } from '../../text/paint.ts';
import { paintLine } from '../../text/spans.ts';
import { renderChecks } from './check-list.ts';

test("a provider's text in a check, its name or its hint cannot control the terminal", () => {
  const hostile = '\u001b]0;owned\u0007\u001b[2J\u202e';
  const check = {
    name: `a${hostile}`,
    state: 'fails' as const,
    text: `b${hostile}`,
    hint: `c${hostile}\nd${hostile}`,
  };
  const lines = renderChecks([check], 200);
  const printed = lines.map((line) => paintLine(line, createPaint(false))).join('\n');
  // oxlint-disable-next-line no-control-regex
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
  for (const letter of ['a', 'b', '→ c', '→ d']) expect(printed).toContain(`${letter}␛]0;owned␇␛[2J<U+202E>`);
});
