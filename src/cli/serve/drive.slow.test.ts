/** Messages to a server that drive its runs and its lead. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { serveWorld } from '../../../test/server/served-folder.ts';
import type { ServeFlags } from '../commands/serve-command.ts';

test('messages start runs and are answered by the lead of the server; its log has each run', async () => {
  const turns = [{ when: { work: 'converse' }, answer: 'Hello from the script.' }];
  const { ask, say, faults } = await serveWorld({ turns, flags: { log: 'json', advisor: 'static_review' } });
  expect(await say('Hi')).toContain('Hello from the script.');
  expect(await say('/review')).toMatch(/event: done\n.*"status":"success"/s);
  expect(await say('/review --nonsense')).toContain("unknown option '--nonsense'");
  const agents = await ask('/api/tenants/local/agents');
  expect(agents.text).toContain('"provider":"anthropic"');
  const log: readonly { readonly run: string }[] = faults.map((line) => JSON.parse(line));
  expect(log).toEqual(
    ['driven', 'settled', 'driven', 'settled'].map((kind, index) => ({
      time: expect.any(String),
      level: 'info',
      event: `run_${kind}`,
      run: log[index]?.run,
      tenant: 'local',
      message: `${log[index]?.run} is ${kind}`,
    })),
  );
});

test('the stream of an answer ends with its messages unless --no-messages leaves them out', async () => {
  const turns = [{ when: { work: 'converse' }, answer: 'Hello from the script.' }];
  const withMessages = await (await serveWorld({ turns })).say('Hi');
  const without = await (await serveWorld({ turns, flags: { messages: false } })).say('Hi');
  expect([withMessages.includes('"messages":[{'), without.includes('"messages"')]).toEqual([true, false]);
});

test.each([
  ['en-GB', false],
  ['ja', true],
])('the stream of a server in the language %s', async (language, isJapanese) => {
  const { say } = await serveWorld({ flags: { advisor: 'static_review', language } });
  expect(/[\u3041-\u3096]/.test(await say('/review'))).toBe(isJapanese);
});

test('an answer that takes longer than the limit of the configuration ends', async () => {
  const config = join(scratchFolder(), 'own.yaml');
  writeFileSync(config, 'stream_limit_seconds: 1\n');
  const turns = [{ when: { work: 'converse' }, fault: 'never' }];
  const { say } = await serveWorld({ turns, flags: { config } });
  expect(await say('Hi')).toContain('"error_type":"timeout_error"');
});

/** The status of a request to a server with these flags. */
async function statusOf(flags: Partial<ServeFlags>, headers: Readonly<Record<string, string>> = {}) {
  const { ask } = await serveWorld({ flags });
  return (await ask('/api/tenants/local/conversations', { headers })).status;
}

test('flags open the server to a host name and to a page, or require a token', async () => {
  const flags = { allowHost: ['collab.example'], allowOrigin: ['https://page.example'] };
  const statuses = [
    await statusOf(flags, { host: 'collab.example' }),
    await statusOf({}, { host: 'collab.example' }),
    await statusOf(flags, { origin: 'https://page.example' }),
    await statusOf({}, { origin: 'https://page.example' }),
    await statusOf({}),
    await statusOf({ requireToken: true }),
  ];
  expect(statuses).toEqual([200, 403, 200, 403, 200, 401]);
});
