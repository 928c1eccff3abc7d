/** `collab provider check` of the installed command on folders that break one item of the checklist each. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { copyExample, entry, profile, remove, rewrite, write } from '../fixtures/providers/copy-example.ts';
import type { Place } from '../packed/place.ts';
import { shared } from '../packed/shared-place.ts';

const place = shared(async (opened: Place) => opened);

const checkedSchema = z.object({
  faults: z.array(z.object({ code: z.string(), path: z.string(), expected: z.string(), fix: z.string() })),
  warnings: z.array(z.object({ path: z.string() })),
});

let count = 0;

/** Damages a copy of the example and checks it with the installed command. */
async function checked(damage: (folder: string) => void, name = 'echo') {
  count += 1;
  const folder = copyExample(join(place().folder, `copy-${count}`), name);
  damage(folder);
  const { code, stdout } = await place().collab(['provider', 'check', folder, '--json']);
  return { folder, code, ...checkedSchema.parse(JSON.parse(stdout)) };
}

const arityOnly = `export class EchoClient {
  static getProviderName() { return 'echo'; }
  static getProfileDir() { return '/somewhere/ai_profile'; }
  constructor() { if (!process.env.ECHO_API_KEY) throw new Error('ECHO_API_KEY が設定されていません。'); }
  sendRequest(one, two) {}
  async *sendRequestStream(options) {}
}`;

/** A dependency as the package file declares it. */
const declaring = (name: string, range: string) =>
  write(
    'package.json',
    JSON.stringify({ type: 'module', dependencies: { 'codex-collab': '*', [name]: range } }),
  );

const withProfile = (from: string, to: string) => rewrite(profile, from, to);

test.each<[string, (folder: string) => void, string, string, string?]>([
  [
    'R003-2 R003-50 X003-17.3 a folder name with a capital',
    () => undefined,
    'folder_name',
    'lower-case letters',
    'Echo',
  ],
  [
    'X003-17.1 a folder name that begins with a digit',
    rewrite('2echo_client.js', 'class echoClient', 'class _2echoClient'),
    'folder_digit',
    '2ECHO_API_KEY is not a variable name',
    '2echo',
  ],
  [
    'R003-1.2 R003-3 R003-51 no entry file',
    (folder) => renameSync(join(folder, entry), join(folder, 'ekho_client.js')),
    'entry_missing',
    'echo_client.js',
  ],
  [
    'R003-4 R003-52 a class of another name',
    rewrite(entry, 'class EchoClient', 'class Ekho'),
    'class_missing',
    'EchoClient; exported is Ekho',
  ],
  [
    'X003-15.2 two classes of the name',
    (folder) =>
      write(entry, `${readFileSync(join(folder, entry), 'utf8')}\nexport class ECHOClient {}`)(folder),
    'class_ambiguous',
    'one class of this name',
  ],
  [
    'R003-8 R003-53 R003-58.1 another provider name',
    rewrite(entry, "return 'echo'", "return 'ekho'"),
    'provider_name',
    'it gives "ekho"',
  ],
  [
    'R003-5 R003-9 R003-54 another profile folder',
    rewrite(entry, "'ai_profile'", "'profiles'"),
    'profile_dir',
    'the absolute path of ai_profile',
  ],
  ['R003-1.1 R003-55.1 no package file', remove('package.json'), 'package_missing', 'a package.json'],
  [
    'R003-55.2 an import that is not declared',
    write('package.json', '{"type": "module", "dependencies": {}}'),
    'import_undeclared',
    'codex-collab among the dependencies',
  ],
  [
    'X003-19.1 a dependency that is not installed',
    declaring('nowhere-to-be-found', '^1'),
    'dependency_missing',
    'nowhere-to-be-found ^1 to be installed',
  ],
  [
    'X003-19.1 a dependency of another version',
    declaring('codex-collab', '>=99'),
    'dependency_version',
    'codex-collab >=99; installed is',
  ],
  ['R003-1.3 R003-56 no profile', remove(profile), 'profile_missing', 'at least one profile'],
  [
    'R003-6 X003-10.2 a profile file that is not named by its id',
    withProfile('"id": "echo-1"', '"id": "echo-2"'),
    'profile_invalid',
    'echo-2.json',
  ],
  [
    'X003-9.3 R003-41.2 a profile with a wrong type',
    withProfile('"context_length": 100000', '"context_length": "much"'),
    'profile_invalid',
    'expected number',
  ],
  [
    'X003-9.4 R003-41.1 a profile of another provider',
    withProfile('"provider": "echo"', '"provider": "ekho"'),
    'profile_invalid',
    'echo',
  ],
  [
    'R003-42 R003-41.3 a profile with an unknown modality',
    withProfile('"input_modalities": ["text"]', '"input_modalities": ["smell"]'),
    'profile_invalid',
    'text',
  ],
  [
    'R003-57 methods that are missing, and one that takes too much',
    write(entry, arityOnly),
    'method_arity',
    'sendRequest to be callable with 1 argument; it takes 2',
  ],
  [
    'R003-58.2 R003-44.1 a key from another variable',
    rewrite(
      entry,
      'export class EchoClient extends AiClient {',
      "export class EchoClient extends AiClient {\n  static authMode = 'api_key';\n  constructor() { super({ env: { ECHO_API_KEY: process.env.MY_KEY } }); }",
    ),
    'key_variable',
    'the constructor to succeed with ECHO_API_KEY set',
  ],
  [
    'R003-60.1 X003-7.2 a signal that no code looks at',
    rewrite(entry, 'const signal = this.signalOf(options);', 'const { signal } = new AbortController();'),
    'abort_ignored',
    'the stream did not end',
  ],
  [
    'R003-60.2 X003-4.2 an event after the abort',
    rewrite(
      entry,
      "yield { type: 'aborted', text, reason: 'user_abort' };",
      "yield { type: 'aborted', text, reason: 'user_abort' };\n      yield { type: 'text_chunk', text: 'more', is_follow_up: false };",
    ),
    'abort_ignored',
    'the last event is text_chunk',
  ],
  [
    'R003-24.2 R003-61 a history that is not sent',
    rewrite(entry, 'getConversationThread(history), {', 'Object.values(history.messages), {'),
    'history_lost',
    'in the request',
  ],
])('%s is a fault that the check names with its remedy', async (_title, damage, code, says, name) => {
  const { folder, code: exit, faults } = await checked(damage, name);
  expect([exit, faults[0]?.code, faults[0]?.expected]).toEqual([1, code, expect.stringContaining(says)]);
  for (const { path, fix } of faults) expect([path.startsWith(folder), fix === '']).toEqual([true, false]);
});

test('R003-4 X003-15.1 a class is found by its folder, whatever its capitals, and another one beside it does not matter', async () => {
  const sound = rewrite(
    'my_echo_client.js',
    'class myechoClient',
    'class OtherClient {}\nexport class MyEchoClient',
  );
  expect(await checked(sound, 'my_echo')).toMatchObject({ code: 0, faults: [] });
});

test('X003-9.2,5 an unknown key of a profile and modalities that disagree are warnings', async () => {
  const { code, warnings } = await checked((folder) => {
    withProfile('"supports_reasoning": false', '"supports_reasoning": false, "supports_magic": true')(folder);
    withProfile('"is_multimodal": false', '"is_multimodal": true')(folder);
  });
  expect([code, new Set(warnings.map(({ path }) => path.split('#')[1]))]).toEqual([
    0,
    new Set(['/features/is_multimodal', '/features/supports_magic']),
  ]);
});

test('X003-19.2,3 a missing dependency comes with the command that installs it, and nothing is installed', async () => {
  const { folder, faults } = await checked(declaring('nowhere-to-be-found', '^1'));
  expect(faults[0]?.fix).toBe(`npm install --prefix ${relative(place().folder, folder)}`);
  expect(existsSync(join(folder, 'node_modules'))).toBe(false);
});

test('X003-17.2 X003-20 the list passes over hidden folders and node_modules, and has the faults of the others', async () => {
  for (const name of ['.hidden', '_draft', 'node_modules', 'Wrong Name'])
    mkdirSync(join(place().folder, 'ai_client', name), { recursive: true });
  writeFileSync(join(place().folder, 'ai_client/node_modules/a.txt'), '');
  const { code, stdout } = await place().collab(['provider', 'list', '--json']);
  const list = z.array(z.looseObject({ name: z.string(), ready: z.boolean() })).parse(JSON.parse(stdout));
  expect(code).toBe(0);
  expect(
    list.filter(({ name }) => ['.hidden', '_draft', 'node_modules', 'Wrong Name'].includes(name)),
  ).toMatchObject([{ name: 'Wrong Name', ready: false }]);
});
