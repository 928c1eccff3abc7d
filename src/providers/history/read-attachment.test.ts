import { expect, test } from 'vitest';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import type { Attachment } from './history.ts';
import { attachedText, readAttachment } from './read-attachment.ts';

const token = sampleSecrets.find(({ rule }) => rule === 'github_token')?.secret ?? '';
const masked = '*'.repeat(token.length);

test.each([
  ['in the text', 'keys.txt', `key ${token}\n`, `keys.txt:\nkey ${masked}\n`],
  [
    'split by a zero-width space',
    'keys.txt',
    `${token.slice(0, 20)}\u200b${token.slice(20)}`,
    `keys.txt:\n${masked}*`,
  ],
  ['in the name', `${token}.txt`, 'a', `${masked}.txt:\na`],
])('a secret of an attached text is masked before a model reads it: %s', (_case, name, text, read) => {
  expect(readAttachment(attached(name, text), null)).toEqual({ type: 'text', text: read });
  expect(attachedText(attached(name, text))).toBe(read);
});

test('a secret in the name of a binary attachment is masked', () => {
  const page = attached(`${token}.pdf`, '%PDF-1.7');
  expect(readAttachment(page, null)).toMatchObject({ type: 'media', name: `${masked}.pdf` });
  expect(attachedText(page)).toBe(`[attached: file ${masked}.pdf]`);
  const gone = { ...page, url: '/nowhere/at/all' };
  expect(attachedText(gone)).toContain(masked);
  expect(attachedText(gone)).not.toContain(token);
});

function attached(name: string, content: string): Attachment {
  const url = `data:text/plain;base64,${Buffer.from(content).toString('base64')}`;
  return { type: 'file', mime_type: 'text/plain', url, name };
}
