import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { collab } from '../command.test-helper.ts';

/** A folder and a home of its own, in which `collab serve token` is called. */
function createDesk() {
  const root = scratchFolder();
  const clock = createManualClock();
  const env = { HOME: scratchFolder() };
  return {
    root,
    clock,
    token: (line: string) => collab({ root, env }, ['serve', 'token', ...line.split(' ')], { clock }),
  };
}

test('a token is printed once, alone on standard output, and then listed without it', async () => {
  const { token, root } = createDesk();
  expect(await token('list')).toEqual({
    code: 0,
    out: 'no tokens; create one: collab serve token create --tenant <name>\n',
    err: '',
  });
  const may = `run,tool:Read,repo:${basename(root)}`;
  const made = await token(`create --tenant acme --label ci --expires 720h --may ${may} --may advisor:codex`);
  const [, id = ''] = /revoke (\S+)\n$/.exec(made.err) ?? [];
  expect(made).toEqual({
    code: 0,
    out: expect.stringMatching(/^collab_token_[\w-]+\n$/),
    err: `for the tenant acme, which may ${may},advisor:codex; revoke it with: collab serve token revoke ${id}\n`,
  });
  const secret = made.out.trim();
  expect((await token('list')).out).toBe(
    `${id}  acme          2026-12-21T09:30:00.000Z  ${may},advisor:codex  ci\n`,
  );
  const { out: json } = await token('list --json');
  expect(json).not.toContain(secret);
  expect(JSON.parse(json)).toEqual([
    {
      id,
      tenant: 'acme',
      label: 'ci',
      created_at: '2026-11-21T09:30:00.000Z',
      expires_at: '2026-12-21T09:30:00.000Z',
      grants: [...may.split(','), 'advisor:codex'],
    },
  ]);
  expect(await token(`revoke ${secret}`)).toEqual({ code: 0, out: `${id} is revoked\n`, err: '' });
  expect(await token(`revoke ${id}`)).toEqual({
    code: 2,
    out: '',
    err: `collab: there is no token "${id}"\n  list the tokens: collab serve token list\n`,
  });
});

test('the rights of a token are named', async () => {
  const { token } = createDesk();
  expect((await token('create --tenant acme')).err).toMatch(
    /^for the tenant acme, which may no more than every tenant; /,
  );
  expect((await token('create --tenant local --may owner')).err).toMatch(
    /^for the tenant local, which may everything; /,
  );
  const { out, err } = await token('create --tenant b --json');
  expect([JSON.parse(out), err]).toEqual([
    expect.objectContaining({
      tenant: 'b',
      label: null,
      expires_at: null,
      token: expect.stringMatching(/^collab_token_/),
    }),
    '',
  ]);
  expect((await token('list')).out).toMatch(/ {2}until revoked {2}no more than every tenant\n/);
});

test.each([
  [
    '--tenant a/b',
    '--tenant needs a name, not "a/b"',
    'use 1 to 128 letters, digits, dots, underscores and hyphens',
  ],
  [
    '--tenant local',
    'a token of local has all rights of the command line',
    'For yourself: --tenant local --may owner.',
  ],
  ['--tenant local --may owner,run', 'a token of local has all rights of the command line', 'For yourself:'],
  ['--tenant acme --may owner', '--may owner is for the tenant local, not for acme', 'Grant it by name: '],
  ['--tenant acme --may apply', '--may apply gives nothing without run', 'Grant both: --may apply,run'],
  ['--tenant acme --may fly', '--may needs grants, not "fly"', 'Use '],
  [
    '--tenant acme --may tool:Raed',
    '--may tool:Raed: there is no tool Raed here',
    'Did you mean tool:Read? There are ',
  ],
  [
    '--tenant acme --may repo:nothing',
    '--may repo:nothing: there is no repository nothing here',
    'There are ',
  ],
  ['--tenant acme --may advisor:xyz', '--may advisor:xyz: there is no provider xyz here', 'There are '],
  [
    '--tenant acme --may lead:rehearsal',
    '--may lead:rehearsal: ',
    'Grant a provider, or one with its model: lead:anthropic:<model>.',
  ],
  ['--tenant acme --expires soon', '--expires needs a duration, not "soon"', ''],
])('create %s is refused', async (flags, message, hint) => {
  const { token } = createDesk();
  const { code, out, err } = await token(`create ${flags}`);
  expect([code, out]).toEqual([2, '']);
  expect(err.split('\n')[0]).toContain(`collab: ${message}`);
  expect(err.split('\n')[1]).toContain(hint);
  expect((await token('list --json')).out).toBe('[]\n');
});

test('a grant may name the model of an agent', async () => {
  const { token } = createDesk();
  expect((await token('create --tenant acme --may advisor:anthropic:claude-opus-5')).code).toBe(0);
});
