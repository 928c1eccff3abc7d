/** The commands that list what is here: doctor, provider, tools. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { atTerminal, collab } from '../command.test-helper.ts';

function createPlace(env: Readonly<Record<string, string>> = {}) {
  const root = scratchFolder();
  return { root, env: { HOME: root, PATH: process.env['PATH'] ?? '', ...env } };
}

test('doctor fails without agents, and names each check with its hint', async () => {
  const place = createPlace({ PATH: '/usr/bin:/bin' });
  const { code, out, err } = await collab(place, ['doctor']);
  expect([code, err]).toEqual([4, '']);
  expect(out).toMatch(/^State +Check +What was found\nok +node +v\d/);
  expect(out).toMatch(/\nok +config +no collab\.config\.yaml; the defaults apply\n/);
  expect(out).toMatch(/\nFAILS +codex .*\n +→ .*npm install/);
  expect(out).toMatch(/\n\d+ checks: \d+ ok, .*fails?\n$/);
  const json = await collab(place, ['doctor', '--json', '--config', 'nothing.yaml']);
  const checks: readonly { readonly name: string; readonly state: string }[] = JSON.parse(json.out);
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['node', 'git', 'config', 'state', 'commands']),
  );
  expect(checks.find(({ name }) => name === 'config')).toMatchObject({ state: 'fails' });
  expect(checks.some(({ name }) => name === 'live')).toBe(false);
  expect((await collab(place, ['doctor', '--live', '--config', 'nothing.yaml', '--json'])).out).toBe(
    json.out,
  );
});

test('doctor without git says what is left', async () => {
  const { out } = await collab(createPlace({ PATH: '/nowhere' }), ['doctor']);
  expect(out).toMatch(
    /\ndiffers +git +not found: collab can review only diff files and standard input\n +→ install git/,
  );
});

test('tools lists permissions and commands; a rule for an unknown tool is named', async () => {
  const place = createPlace();
  const { code, out, err } = await collab(place, ['tools']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^Tool +Agent +You +Command\nRead +allow +allow +\/read <file_path>/);
  expect(out).toMatch(/\nWrite +ask +allow +\/write <file_path> <content>\n/);
  const colored = await collab(place, ['tools'], { screen: atTerminal });
  expect(colored.out).toContain('\u001b[33mask\u001b[39m');
  expect((await collab(place, ['tools', '--config', 'nothing.yaml'])).code).toBe(2);
  const rules = await collab({ ...place, root: withRules() }, ['tools', '--json']);
  expect(rules.err).toBe(
    'tools.policy: there is no tool Raed; did you mean Read?\ntools.policy: there is no tool Qqqqqqq\n',
  );
  const tools: readonly { readonly name: string }[] = JSON.parse(rules.out);
  expect(tools.find(({ name }) => name === 'Write')).toMatchObject({
    aliases: expect.arrayContaining(['write']),
    read_only: false,
    policy: { agent: 'deny', user: 'allow' },
    usage: '/write <file_path> <content>',
    parameters: { type: 'object' },
  });
});

test('provider list shows what is ready and what is missing', async () => {
  const { code, out } = await collab(createPlace({ ANTHROPIC_API_KEY: 'key' }), ['provider', 'list']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Provider +State +Roles +Login +Origin, models and remarks\nanthropic +ready +lead, advisor +api_key/,
  );
  expect(out).toMatch(
    /\nopenai +missing .*\n +models: .*\n +OPENAI_API_KEY is not set\. Set OPENAI_API_KEY /,
  );
  const { out: json } = await collab(createPlace(), ['provider', 'list', '--json']);
  expect(JSON.parse(json)[0]).toMatchObject({
    name: 'anthropic',
    origin: 'built in',
    ready: false,
    faults: [],
  });
});

test('provider check of a word that is no folder names the one that is meant', async () => {
  const { code, out, err } = await collab(createPlace(), ['provider', 'check', 'antropic']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(
    /^collab: antropic is not a folder; did you mean anthropic\?\n {2}name a folder such as /,
  );
  expect((await collab(createPlace(), ['provider', 'check', 'xyzxyz'])).err).toMatch(
    /^collab: xyzxyz is not a folder\n/,
  );
});

/** A folder whose configuration has rules for tools. */
function withRules(): string {
  const root = scratchFolder();
  writeFileSync(
    join(root, 'collab.config.yaml'),
    'tools: { policy: { Raed: deny, Write: deny, Qqqqqqq: ask, "git.*": ask } }\n',
  );
  return root;
}
