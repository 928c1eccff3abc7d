/** A conversation at a real terminal, with the real Claude Code as the lead over a scripted model. */
import { test } from '../../packed/place.ts';
import { allowOneAndRefuseOne, stopAndGoOn } from './terminal.ts';

const claudeCode = { flag: 'claude_code', toolPrefix: 'mcp__collab__' };

test('Claude Code streams, is stopped at Ctrl-C, and continues with the earlier messages', async ({
  place,
  expect,
}) => {
  const { terminal, requests } = await stopAndGoOn(place, claudeCode);
  await terminal.sees('conversation with Claude Code');
  const [first, second] = requests;
  expect(toolsOf(first)).toContain('mcp__collab__Read');
  expect(toolsOf(first)).toContain('mcp__collab__Consult');
  expect(toolsOf(first).filter((name) => !name.startsWith('mcp__collab__'))).toEqual([]);
  expect(second?.lastInput).toMatch(
    /The user said:[^]*one[^]*You said:[^]*First line\.[^]*Now the user says:[^]*two/,
  );
});

test('it asks before it writes, gets results as data, switches branches, and resumes its session on another day', async ({
  place,
  expect,
}) => {
  const said = { text: 'I write.' };
  const { terminal, start, upstream } = await allowOneAndRefuseOne(place, claudeCode, said);
  expect(upstream.requests[1]?.lastInput).toMatch(/text data-\w{16}\\nMade yes\.txt/);
  expect(JSON.stringify(upstream.requests[2]?.body)).not.toContain('yes.txt');

  await terminal.types('/branch 1', 'Enter');
  await terminal.sees('* 1');
  await terminal.types('C-d');
  await terminal.sees('left with 0');

  const later = await start('--resume');
  await later.types('thank you', 'Enter');
  await later.sees('As you wish.');
  // The branch's own session, including calls, without the other branch.
  const sent = JSON.stringify(upstream.requests[4]?.body);
  expect(['yes.txt', 'thank you'].filter((text) => !sent.includes(text))).toEqual([]);
  expect(sent).not.toContain('no.txt');
  expect(sent).not.toContain('Now the user says');
});

function toolsOf(request: { readonly body: unknown } | undefined): readonly string[] {
  const { tools } = JSON.parse(JSON.stringify(request?.body));
  return tools.map(({ name }: { readonly name: string }) => name);
}
