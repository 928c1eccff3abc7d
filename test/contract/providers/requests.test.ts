/**
 * The parts of a request besides the conversation: parameters and attached files, for every provider with an SDK of a
 * vendor.
 */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ValueError } from '../../../src/errors/provider-error.ts';
import type { StreamOptions } from '../../../src/providers/client/ai-client.ts';
import { appendMessage } from '../../../src/providers/history/history-edit.ts';
import type { Attachment } from '../../../src/providers/history/history.ts';
import { collect } from '../../../src/providers/scripted-client.test-helper.ts';
import { scratchFolder } from '../../fixtures/scratch-repository.ts';
import { attachedFiles } from './attached-files.ts';
import { everyProvider } from './every-provider.ts';
import { clientOf, type ProviderFixture } from './fixture.ts';

describe.each(everyProvider)('$name', (fixture) => {
  const files = Object.entries(fixture.attached);
  const sent = files.filter(([, told]) => typeof told === 'object');
  const refused = files.flatMap(([kind, told]) => (typeof told === 'string' ? [[kind, told] as const] : []));

  test.each(sent)(
    'R003-22 an attached %s is what its bytes are, whatever it is called',
    async (kind, told) => {
      const { body } = await send(fixture, { currentFilePaths: [written(bytesOf(kind))] });
      expect(objectsIn(body)).toContainEqual(told);
    },
  );

  test.each(sent)('R003-22 a %s of an earlier message is shown again', async (kind, told) => {
    const { body } = await send(fixture, { earlier: earlier(kind) });
    expect(objectsIn(body)).toContainEqual(told);
  });

  test.each(refused)('R003-22 a %s, which its model does not read, is refused', async (kind, told) => {
    const said = await send(fixture, { currentFilePaths: [written(bytesOf(kind))] });
    expect(said).toEqual({ refused: expect.stringContaining(told), requests: 0 });
  });

  test.each(refused)('R003-22 a %s of an earlier message is said in words', async (kind) => {
    const { body } = await send(fixture, { earlier: earlier(kind) });
    expect(JSON.stringify(body)).toContain('[attached: image a.file: ');
  });

  test('sends a text as text', async () => {
    const { body } = await send(fixture, { currentFilePaths: [written(Buffer.from('größer\n'))] });
    expect(JSON.stringify(body)).toContain('a.file:\\ngrößer');
  });

  test.each([
    ['a file that is not there', () => join(scratchFolder(), 'none.png'), 'none.png cannot be read'],
    ['a folder', () => scratchFolder(), 'cannot be read'],
    ['a file that is too large', () => large(), 'is too large to be sent: more than 33554432 bytes'],
    ['bytes of no known type', () => written(Buffer.from([7, 0, 255, 3])), 'has a type that no model reads'],
  ])('%s is refused before anything is sent', async (_name, path, text) => {
    const said = await send(fixture, { currentFilePaths: [path()] });
    expect(said).toEqual({ refused: expect.stringContaining(text), requests: 0 });
  });

  test.each(['/nowhere/a.png', 'https://example.org/a.png'])(
    'an attachment of an earlier message that is gone is said in words: %s',
    async (url) => {
      const gone: Attachment = { type: 'image', mime_type: 'image/png', url, name: 'a.png' };
      const { body } = await send(fixture, { earlier: gone });
      expect(JSON.stringify(body)).toContain('[attached: image a.png');
    },
  );

  test('X003-11.1 parameters of its own go in the request as its API names them', async () => {
    const [extra, told] = fixture.extra;
    expect(await send(fixture, { extra })).toMatchObject({ body: told });
  });

  const { budget } = fixture;
  test.runIf(budget === null)(
    'X003-11.2 a budget of thoughts is refused by what does not count tokens',
    async () => {
      const said = await send(fixture, { thinkingBudget: 2048 });
      expect(said).toMatchObject({ refused: expect.stringContaining('thinking in tokens'), requests: 0 });
    },
  );

  test.runIf(budget !== null)(
    'R003-13 a budget of thoughts is sent, and no temperature of ours with it',
    async () => {
      const [modelId, told] = budget ?? ['', {}];
      const { body } = await send(fixture, { modelId, thinkingBudget: 2048 });
      expect(body).toMatchObject(told);
      expect(JSON.stringify(body)).not.toContain('temperature');
    },
  );
});

interface Wish extends Partial<StreamOptions> {
  /** Attached to an earlier message. */
  readonly earlier?: Attachment;
}

/** The body of its one request, or the reason why there was none. */
async function send(fixture: ProviderFixture, { earlier: attachment, ...own }: Wish) {
  const { client, request, upstream } = await clientOf(fixture, { text: 'seen' });
  const place = { id: 'msg_000000000001', now: '2026-01-01T00:00:00.000Z' };
  const history =
    attachment === undefined
      ? request.history
      : appendMessage(request.history, { role: 'user', content: 'see', attachments: [attachment] }, place);
  try {
    await collect(client.sendRequestStream({ ...request, ...own, history }));
    return { body: upstream.requests[0]?.body };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return { refused: error.message, requests: upstream.requests.length };
  }
}

/** Belongs to an earlier message, and claims to be a picture. */
function earlier(kind: string): Attachment {
  const url = `data:image/png;base64,${bytesOf(kind).toString('base64')}`;
  return { type: 'image', mime_type: 'image/png', url, name: 'a.file' };
}

function bytesOf(kind: string): Buffer {
  const found = Object.entries(attachedFiles).find(([name]) => name === kind);
  if (found === undefined) throw new Error(`there is no file ${kind}`);
  return found[1];
}

function written(bytes: Buffer): string {
  const path = join(scratchFolder(), 'a.file');
  writeFileSync(path, bytes);
  return path;
}

/** A sparse file, which uses no space on the disk. */
function large(): string {
  const path = written(Buffer.from('x'));
  truncateSync(path, 32 * 1024 * 1024 + 1);
  return path;
}

function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
