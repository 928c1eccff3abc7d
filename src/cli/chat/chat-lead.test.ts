import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings, type Settings } from '../../config/settings-table.ts';
import { emptyHistory } from '../../providers/history/history.ts';
import { packageFolder } from '../../system/package-folder.ts';
import { leadOfChat } from './chat-lead.ts';

const now = '2026-11-21T09:30:00.000Z';
const pastOf = (model: string) =>
  emptyHistory({ conversationId: 'c', title: '', platform: 'openai', model, now });

function leadOf(
  lead: string | undefined,
  past: ReturnType<typeof pastOf> | null = null,
  configured = 'auto',
) {
  const config: Settings = { ...defaultSettings, lead: configured };
  const environment = { env: {}, cwd: '/', settings: {}, signal: new AbortController().signal };
  return leadOfChat({ flags: lead === undefined ? {} : { lead }, config, past, environment });
}

const shipped = join(packageFolder(), 'examples/chat.yaml');

test('a conversation keeps its lead and its model, if it has one', async () => {
  expect(await leadOf(undefined, pastOf('gpt'))).toEqual({ provider: 'openai', model: 'gpt' });
  expect(await leadOf(undefined, pastOf(''))).toEqual({ provider: 'openai', model: null });
});

test('another lead may be named', async () => {
  expect(await leadOf('rehearsal', pastOf('gpt'))).toEqual({ provider: 'rehearsal', model: shipped });
  expect(await leadOf('rehearsal:pair.yaml', pastOf('gpt'))).toEqual({
    provider: 'rehearsal',
    model: 'pair.yaml',
  });
});

test('the lead of a new conversation is the one of the configuration', async () => {
  expect(await leadOf(undefined, null, 'rehearsal:pair.yaml')).toEqual({
    provider: 'rehearsal',
    model: 'pair.yaml',
  });
});

test('a conversation needs a lead', async () => {
  await expect(leadOf('none')).rejects.toMatchObject({
    code: 'usage',
    message: 'a conversation needs a lead, not "none"',
  });
});
