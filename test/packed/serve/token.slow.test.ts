/** Tokens of a server: its owner creates, lists and revokes them. */
import { z } from 'zod';
import { test } from '../place.ts';

const made = z.looseObject({ id: z.string(), token: z.string() });
const listed = z.array(z.looseObject({ id: z.string(), tenant: z.string(), label: z.string().nullable() }));

test('X002-27.2 a token is made, listed without its secret, and revoked, each told as JSON where that is asked for', async ({
  place,
  expect,
}) => {
  const token = async (...args: string[]) => {
    const { code, stdout, stderr } = await place.collab(['serve', 'token', ...args]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  const { id, token: secret } = made.parse(
    JSON.parse(await token('create', '--tenant', 'acme', '--label', 'ci', '--json')),
  );
  const list = await token('list', '--json');
  expect(list).not.toContain(secret);
  expect(listed.parse(JSON.parse(list))).toMatchObject([{ id, tenant: 'acme', label: 'ci' }]);
  await token('revoke', id);
  expect(JSON.parse(await token('list', '--json'))).toEqual([]);
});

test('a token with all permissions is only made for local and by --may owner', async ({ place, expect }) => {
  const create = async (...args: string[]) => {
    const { code, stdout, stderr } = await place.collab(['serve', 'token', 'create', ...args]);
    return { code, said: stderr, token: stdout.trim() };
  };
  const refused = [
    await create('--tenant', 'local'),
    await create('--tenant', 'local', '--may', 'run'),
    await create('--tenant', 'local', '--may', 'owner,run'),
    await create('--tenant', 'acme', '--may', 'owner'),
    await create('--tenant', 'LOCAL', '--may', 'owner'),
  ];
  expect(refused.map(({ code, token }) => [code, token])).toEqual(refused.map(() => [2, '']));
  expect(refused[0]?.said).toContain('--tenant local --may owner');
  const { code, said } = await create('--tenant', 'local', '--may', 'owner');
  expect([code, said]).toEqual([0, expect.stringContaining('which may everything')]);
  const { stdout } = await place.collab(['serve', 'token', 'list']);
  expect(stdout).toMatch(/^\w{10} {2}local .* everything\n$/);
});

test('a grant that gives nothing is refused with its reason', async ({ place, expect }) => {
  const create = async (may: string) => {
    const { code, stderr } = await place.collab([
      'serve',
      'token',
      'create',
      '--tenant',
      'acme',
      '--may',
      may,
    ]);
    return [code, stderr];
  };
  const refused: Readonly<Record<string, string>> = {
    'advisor:rehearsal:/dev/zero': 'a script is a file of this machine',
    'lead:rehearsal': 'a script is a file of this machine',
    'advisor:codex:/etc/passwd': 'a path is of this machine',
    'lead:./ai_client': 'a path is of this machine',
    run: '--may run gives nothing without repo:<name>',
    'run,apply': '--may run gives nothing without repo:<name>',
    'apply,repo:project': '--may apply gives nothing without run',
  };
  for (const [may, why] of Object.entries(refused)) {
    expect([may, ...(await create(may))]).toEqual([may, 2, expect.stringContaining(why)]);
  }
  for (const may of ['run,apply,repo:project', 'tool:Read', 'advisor:anthropic:claude-x']) {
    expect([may, (await create(may))[0]]).toEqual([may, 0]);
  }
});
