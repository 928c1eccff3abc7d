/** Messages to a server that drive its runs and its lead. */
import { expect, test } from 'vitest';
import { serveWorld } from '../../../test/server/served-folder.ts';

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
