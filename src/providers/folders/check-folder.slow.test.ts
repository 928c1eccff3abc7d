import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  copyExample,
  entry,
  profile,
  remove,
  rewrite,
  write,
} from '../../../test/fixtures/providers/copy-example.ts';
import type { FolderFaultCode } from './folder-fault.ts';
import { checkFolder } from './check-folder.ts';
import { inspectFolder } from './inspect-folder.ts';
import { classNameOf } from './load-class.ts';
import { inspectFolders, loadProviderFolder } from './loader.ts';

interface BrokenVariant {
  /** The folder's name; default `echo`. */
  readonly name?: string;
  readonly damage: (folder: string) => void;
  readonly codes: readonly FolderFaultCode[];
  /** Part of the first fault's text. */
  readonly says: string;
}

const ownClass = `export class EchoClient {
  static getProviderName() { return 'echo'; }
  static getProfileDir() { return '/somewhere/ai_profile'; }
  constructor() { if (!process.env.ECHO_API_KEY) throw new Error('ECHO_API_KEY が設定されていません。'); }
  sendRequest(one, two) {}
  async *sendRequestStream(options) {}
}`;

const brokenVariants: Readonly<Record<string, BrokenVariant>> = {
  'R003-2 R003-50 X003-17.3 a folder name with a capital': {
    name: 'Echo',
    damage: () => undefined,
    codes: ['folder_name'],
    says: 'lower-case letters, digits and underscores',
  },
  'X003-17.1 a folder name that begins with a digit': {
    name: '2echo',
    damage: rewrite('2echo_client.js', 'class echoClient', 'class _2echoClient'),
    codes: ['folder_digit', 'class_missing'],
    says: '2ECHO_API_KEY is not a variable name',
  },
  'the name of a provider that ships': {
    name: 'codex',
    damage: () => undefined,
    codes: ['name_taken'],
    says: 'no provider of collab has',
  },
  'R003-51 no entry file': {
    damage: (folder) => renameSync(join(folder, entry), join(folder, 'ekho_client.js')),
    codes: ['entry_missing'],
    says: 'echo_client.js or echo_client.mjs or echo_client.ts',
  },
  'two entry files': {
    damage: write('echo_client.mjs', ''),
    codes: ['entry_ambiguous'],
    says: 'echo_client.js and echo_client.mjs',
  },
  'an entry file that cannot be imported': {
    damage: write(entry, 'throw new Error("it is broken");'),
    codes: ['entry_fails'],
    says: 'it is broken',
  },
  'R003-52 a class of another name': {
    damage: rewrite(entry, 'class EchoClient', 'class Ekho'),
    codes: ['class_missing'],
    says: 'EchoClient; exported is Ekho',
  },
  'X003-15.2 two classes of the name': {
    damage: (folder) =>
      write(entry, `${readFileSync(join(folder, entry), 'utf8')}\nexport class ECHOClient {}`)(folder),
    codes: ['class_ambiguous'],
    says: 'EchoClient and ECHOClient',
  },
  'R003-53 R003-58 another provider name': {
    damage: rewrite(entry, "return 'echo'", "return 'ekho'"),
    codes: ['provider_name', 'key_variable', 'key_variable'],
    says: 'it gives "ekho"',
  },
  'R003-54 another profile folder': {
    damage: rewrite(entry, "'ai_profile'", "'profiles'"),
    codes: ['profile_dir'],
    says: 'the absolute path of ai_profile',
  },
  'R003-55.1 no package file': {
    damage: remove('package.json'),
    codes: ['package_missing'],
    says: 'a package.json',
  },
  'a package file that is no JSON': {
    damage: write('package.json', '{'),
    codes: ['package_invalid'],
    says: 'expected object',
  },
  'R003-55.2 an import that is not declared': {
    damage: write('package.json', '{"type": "module", "dependencies": {}}'),
    codes: ['import_undeclared'],
    says: 'codex-collab among the dependencies',
  },
  'X003-19.1 a dependency that is not installed': {
    damage: write(
      'package.json',
      '{"type": "module", "dependencies": {"codex-collab": "*", "nowhere-to-be-found": "^1"}}',
    ),
    codes: ['dependency_missing'],
    says: 'nowhere-to-be-found ^1 to be installed',
  },
  'X003-19.1 a dependency of another version': {
    damage: write('package.json', '{"type": "module", "dependencies": {"codex-collab": ">=99"}}'),
    codes: ['dependency_version'],
    says: 'codex-collab >=99; installed is',
  },
  'R003-56 no profile': {
    damage: remove(profile),
    codes: ['profile_missing'],
    says: 'at least one profile',
  },
  'X003-9.3 a profile with a wrong type': {
    damage: rewrite(profile, '"context_length": 100000', '"context_length": "much"'),
    codes: ['profile_invalid'],
    says: 'expected number',
  },
  'R003-57 methods that are missing, and one that takes too much': {
    damage: write(entry, ownClass),
    codes: ['method_arity', 'method_missing', 'method_missing', 'method_missing'],
    says: 'sendRequest to be callable with 1 argument; it takes 2',
  },
  'R003-58.2 a key from another variable': {
    damage: rewrite(
      entry,
      'export class EchoClient extends AiClient {',
      `export class EchoClient extends AiClient {
  static authMode = 'api_key';
  constructor() { super({ env: { ECHO_API_KEY: process.env.MY_KEY } }); }`,
    ),
    codes: ['key_variable'],
    says: 'the constructor to succeed with ECHO_API_KEY set',
  },
  'R003-59 errors that are told as answers': {
    damage: rewrite(
      entry,
      'if (!signal.aborted) throw error;',
      "if (!signal.aborted) return void (yield { type: 'complete', text: String(error) });",
    ),
    codes: ['error_handling', 'error_handling', 'error_handling', 'error_handling', 'error_handling'],
    says: 'an error with the code auth for 401; it gave complete',
  },
  'R003-60.1 a signal that no code looks at': {
    damage: rewrite(
      entry,
      'const signal = this.signalOf(options);',
      'const { signal } = new AbortController();',
    ),
    codes: ['abort_ignored'],
    says: 'the stream did not end',
  },
  'R003-60.2 an event after the abort': {
    damage: rewrite(
      entry,
      "yield { type: 'aborted', text, reason: 'user_abort' };",
      "yield { type: 'aborted', text, reason: 'user_abort' };\n      yield { type: 'text_chunk', text: 'more', is_follow_up: false };",
    ),
    codes: ['abort_ignored'],
    says: 'the last event is text_chunk',
  },
  'R003-61 a history that is not sent': {
    damage: rewrite(entry, 'getConversationThread(history), {', 'Object.values(history.messages), {'),
    codes: ['history_lost'],
    says: 'in the request',
  },
};

const options = { taken: ['codex'], patienceMs: 3000 };

function newRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-providers-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test('R003-1 R003-3 R003-5 the example keeps the whole contract', async () => {
  expect(await checkFolder(copyExample(newRoot()), options)).toMatchObject({
    name: 'echo',
    faults: [],
    warnings: [],
    notes: [],
  });
});

test.each(Object.entries(brokenVariants))('%s', async (_, { name, damage, codes, says }) => {
  const folder = copyExample(newRoot(), name);
  damage(folder);
  const { faults } = await checkFolder(folder, { ...options, patienceMs: 300 });
  expect(faults.map(({ code }) => code)).toEqual(codes);
  expect(faults[0]?.expected).toContain(says);
  for (const { path, fix } of faults) expect([path.startsWith(folder), fix === '']).toEqual([true, false]);
});

test('R003-7 X003-20.2 all faults of all folders are reported, and the sound ones can be used', async () => {
  const root = newRoot();
  const variants = Object.values(brokenVariants);
  variants.forEach(({ damage, name }, index) => {
    const folder = copyExample(join(root, String(index)), name);
    damage(folder);
  });
  const sound = copyExample(join(root, 'sound'));
  const roots = [...variants.map((_, index) => join(root, String(index))), join(root, 'sound')];
  const inspected = await inspectFolders(roots, options);
  expect(inspected).toHaveLength(variants.length + 1);
  expect(inspected.at(-1)).toMatchObject({ name: 'echo', faults: [] });
  const provider = await loadProviderFolder(sound, options);
  expect(provider).toMatchObject({ name: 'echo', roles: ['lead', 'advisor'] });
});

test.each([
  ['http://127.0.0.1:7/v1', '127.0.0.1:7'],
  ['', 'a host that its code chooses'],
])(
  'of a provider of others with the address %j is not said that nothing leaves',
  async (base, destination) => {
    const provider = await loadProviderFolder(copyExample(newRoot()), options);
    const env = { ECHO_API_KEY: 'any', ECHO_API_BASE: base };
    const { signal } = new AbortController();
    const model = await provider.openModel({ env, cwd: '/nowhere', settings: {}, signal, model: null });
    expect(model.identity.destination).toBe(destination);
  },
);

test('X003-20.1 a folder with several faults tells them together', async () => {
  const folder = copyExample(newRoot());
  for (const file of ['package.json', 'ai_profile']) rmSync(join(folder, file), { recursive: true });
  writeFileSync(join(folder, 'echo_client.js'), 'export class Other {}');
  const { faults } = await checkFolder(folder, options);
  expect(faults.map(({ code }) => code)).toEqual(['package_missing', 'profile_missing', 'class_missing']);
  await expect(loadProviderFolder(folder, options)).rejects.toThrow(
    /package_missing.*profile_missing.*class_missing/,
  );
});

test('X003-19.2,3 a missing dependency is reported with the command that installs it, and nothing is installed', async () => {
  const folder = copyExample(newRoot());
  write(
    'package.json',
    '{"type": "module", "dependencies": {"codex-collab": "*", "nowhere-to-be-found": "^1"}}',
  )(folder);
  const before = readdirSync(folder, { recursive: true });
  expect((await checkFolder(folder, options)).faults).toMatchObject([
    { code: 'dependency_missing', fix: `npm install --prefix ${folder}` },
  ]);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test('X003-17.2 what begins with a dot or an underscore, and node_modules, is no provider', async () => {
  const root = newRoot();
  for (const name of ['.hidden', '_draft', 'node_modules', 'Wrong Name']) mkdirSync(join(root, name));
  const inspected = await inspectFolders([root, join(root, 'not-there')], options);
  expect(inspected.map(({ name }) => name)).toEqual(['Wrong Name']);
});

test('inspecting a folder runs none of its code', async () => {
  const folder = copyExample(newRoot());
  writeFileSync(join(folder, 'echo_client.js'), 'globalThis.codeOfTheFolderRan = true;');
  await inspectFolder(folder, options);
  expect(Reflect.has(globalThis, 'codeOfTheFolderRan')).toBe(false);
});

test('a TypeScript entry needs a Node that strips types', async () => {
  const folder = copyExample(newRoot());
  writeFileSync(join(folder, 'echo_client.ts'), '');
  rmSync(join(folder, 'echo_client.js'));
  const codes = async (stripsTypes: boolean) =>
    (await inspectFolder(folder, { ...options, stripsTypes })).faults.map(({ code }) => code);
  expect([await codes(false), await codes(true)]).toEqual([['entry_unsupported'], []]);
});

test.each(['MyEchoClient', 'MYEchoClient'])(
  'R003-4 X003-15.1 the class %s is that of my_echo, and another class beside it is nobody’s',
  async (className) => {
    const folder = copyExample(newRoot(), 'my_echo');
    rewrite(
      'my_echo_client.js',
      'class myechoClient',
      `class OtherClient {}\nexport class ${className}`,
    )(folder);
    expect((await checkFolder(folder, options)).faults).toEqual([]);
  },
);

test('R003-4 a class is named by its folder', () => {
  expect(['gemini', 'azure_openai'].map(classNameOf)).toEqual(['GeminiClient', 'AzureOpenaiClient']);
});
