import { expect, test } from 'vitest';
import { waitTeller } from './place-of.ts';

test('a line about a wait is safe to print: it quotes the host', () => {
  const lines: string[] = [];
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  waitTeller({ err: (line) => void lines.push(line) })(`GitHub answered 503: \u001b[31m${secret}`);
  expect(lines).toEqual([expect.stringMatching(/^collab: GitHub answered 503: ␛\[31m.*\n$/)]);
  expect(lines.join('')).not.toContain(secret);
});
