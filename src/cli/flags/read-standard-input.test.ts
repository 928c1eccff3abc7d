import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { readStandardInput } from './read-standard-input.ts';
import { withProviders } from './provider-help.ts';

/** Reads these pieces of at most four bytes. */
function read(pieces: readonly string[], signal = new AbortController().signal) {
  const pipe: unknown = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the function reads of a pipe
  const stdin = pipe as NodeJS.ReadStream;
  return readStandardInput(
    { stdin, signal },
    { mostBytes: 4, tooLarge: () => new CollabError('input', 'too large') },
  );
}

test('all pieces are read, up to the limit', async () => {
  expect(Buffer.from(await read(['ab', 'cd'])).toString()).toBe('abcd');
  await expect(read(['ab', 'cd', 'e'])).rejects.toThrow('too large');
});

test('the signal ends the reading', async () => {
  await expect(read(['ab'], AbortSignal.abort())).rejects.toThrow(/aborted/);
});

test('lists of providers are inserted into a help, and other words in braces stay', () => {
  expect(withProviders('one of {leads}; {nothing}')).toMatch(
    /^one of auto, claude_code, (?:\w+, )+one of \.\/ai_client\/, rehearsal:<script\.yaml>; \{nothing\}$/,
  );
  expect(withProviders('{advisors}|{reviewers}|{chatLeads}')).toMatch(
    /^auto, codex, claude_code, anthropic, .*\|auto, codex, static_review, claude_code, anthropic, .*\|auto, claude_code, anthropic, .*, rehearsal\[:<script\.yaml>\]$/,
  );
});
