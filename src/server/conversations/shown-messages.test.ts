import { expect, test } from 'vitest';
import { messagesFor } from './shown-messages.ts';

const plain = { role: 'user', content: 'hello' };
const attached = {
  role: 'user',
  content: 'this',
  attachments: [{ type: 'file', url: '/home/ann/.collab/runs/r1/files/1', name: 'a.txt' }],
};

test('a guest gets the number of an attachment in place of its path', () => {
  expect(messagesFor('acme', [plain, attached])).toEqual([
    plain,
    { ...attached, attachments: [{ type: 'file', url: '1', name: 'a.txt' }] },
  ]);
});

test('the owner gets messages as they are', () => {
  expect(messagesFor('local', [plain, attached])).toEqual([plain, attached]);
});
