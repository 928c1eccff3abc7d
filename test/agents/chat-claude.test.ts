/** A conversation at a real terminal, with the real Claude Code as the lead over a scripted model. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deferred } from '../../src/runs/deferred.ts';
import { test } from '../packed/place.ts';
import { chatWorld, writes } from './chat-world.ts';
import { generous } from './review-world.ts';

const handed = (call: ReturnType<typeof writes>) => ({ ...call, name: `mcp__collab__${call.name}` });

test('Claude Code streams, is stopped at Ctrl-C, and goes on told of what was said', async ({
  place,
  expect,
}) => {
  const gate = new Deferred<void>();
  const { terminal, upstream } = await chatWorld(
    place,
    [{ text: `First line.\n${'word '.repeat(60)}\n`, midway: gate.promise }, { text: 'Second answer.' }],
    'claude_code',
  );
  await terminal.sees('talking with Claude Code');
  await terminal.types('one', 'Enter');
  await terminal.sees('First line.');
  await terminal.types('C-c');
  await terminal.sees('stopped');
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
  gate.resolve(undefined);
  await terminal.types('two', 'Enter');
  await terminal.sees('Second answer.');
  const [first, second] = upstream.requests;
  expect(toolsOf(first)).toContain('mcp__collab__Read');
  expect(toolsOf(first)).toContain('mcp__collab__Consult');
  expect(toolsOf(first).filter((name) => !name.startsWith('mcp__collab__'))).toEqual([]);
  expect(second?.lastInput).toMatch(
    /The user said:[^]*one[^]*You said:[^]*First line\.[^]*Now the user says:[^]*two/,
  );
  await terminal.types('/history', 'Enter');
  await terminal.sees('#2 lead (stopped): First line.');
  await terminal.types('C-d');
  await terminal.sees('left with 0');
});

test('it asks before it writes, sees results as data, switches branches, and its session goes on another day', async ({
  place,
  expect,
}) => {
  const { terminal, start, upstream } = await chatWorld(
    place,
    [
      { text: 'I write.', tools: [handed(writes('yes.txt'))] },
      { text: 'Written.' },
      { tools: [handed(writes('no.txt'))] },
      { text: 'Not written.' },
      { text: 'As you wish.' },
    ],
    'claude_code',
  );
  await terminal.types('write it', 'Enter');
  await terminal.sees('file_path: yes.txt');
  await terminal.sees('Allow Write?');
  await terminal.types('Enter');
  await terminal.sees('Written.');
  expect(readFileSync(join(place.folder, 'yes.txt'), 'utf8')).toBe('new\n');
  expect(upstream.requests[1]?.lastInput).toMatch(/text data-\w{16}\\nMade yes\.txt/);

  await terminal.types('/resend write another', 'Enter');
  await terminal.sees('file_path: no.txt');
  await terminal.types('Down', 'Down', 'Enter');
  await terminal.sees('Why not?');
  await terminal.types('too early', 'Enter');
  await terminal.sees('Not written.');
  expect(existsSync(join(place.folder, 'no.txt'))).toBe(false);
  expect(upstream.requests[3]?.lastInput).toContain('Write was not allowed to run: too early.');
  expect(JSON.stringify(upstream.requests[2]?.body)).not.toContain('yes.txt');

  await terminal.types('/branch 1', 'Enter');
  await terminal.sees('* 1');
  await terminal.types('C-d');
  await terminal.sees('left with 0');

  const later = await start('--resume');
  await later.types('thank you', 'Enter');
  await later.sees('As you wish.');
  // Its own session of that branch, calls and all, and not the branch beside it.
  const sent = JSON.stringify(upstream.requests[4]?.body);
  expect(['yes.txt', 'thank you'].filter((text) => !sent.includes(text))).toEqual([]);
  expect(sent).not.toContain('no.txt');
  expect(sent).not.toContain('Now the user says');
});

function toolsOf(request: { readonly body: unknown } | undefined): readonly string[] {
  const { tools } = JSON.parse(JSON.stringify(request?.body));
  return tools.map(({ name }: { readonly name: string }) => name);
}
