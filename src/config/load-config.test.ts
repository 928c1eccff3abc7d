import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import { loadConfig } from './load-config.ts';
import { defaultSettings } from './settings-table.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function refusal(text: string) {
  return refusalOf(loadConfig({ cwd: folderWith({ 'collab.config.yaml': text }) }));
}

async function digestOf(text: string): Promise<string> {
  return (await loadConfig({ cwd: folderWith({ 'collab.config.yaml': text }) })).digest;
}

const everything = `
advisor: codex:gpt-5
lead: claude_code
verify: false
allow_static: true
on_advisor_failure: continue
fail_on: minor
allow_empty: true
fail_on_empty: true
rules: all
format: markdown
reports:
  - { format: json, file: out/review.json }
  - { format: markdown, file: review.md }
focus: the locking
instructions: docs/review.md
suppressions: collab.suppressions.yaml
include: ['src/**']
cache: false
exclude: ['**/*.snap', vendor/**]
language: ja
time_limit: 1h30m
budget_usd: 2.5
budget_tokens: 300000
budget_calls: 40
concurrency: 5
chunk_tokens: 8000
limits: { idle: 2m, total: 20m }
phase_limits:
  design: { idle: 9m }
  review: { total: 40m, first_sign: 50ms }
budgets: { shortening: 0, attempts: 9 }
waits: [50ms, 1s]
provider_paths: [ai_client]
providers:
  codex: { path: /opt/codex/bin/codex }
  rehearsal: { speed: 2, loud: true }
stream_limit_seconds: 120
tools: { policy: { Bash: deny, git.*: { agent: ask, user: deny } } }
`;

test('without a file the defaults apply', async () => {
  const { config, path, digest } = await loadConfig({ cwd: scratchFolder() });
  expect({ config, path }).toEqual({ config: defaultSettings, path: null });
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

test('every setting is read, including limits by phase and budgets by rung', async () => {
  const cwd = folderWith({ 'collab.config.yaml': everything });
  const { config, path } = await loadConfig({ cwd, path: 'collab.config.yaml' });
  expect(path).toBe(join(cwd, 'collab.config.yaml'));
  expect(config).toEqual({
    ...defaultSettings,
    advisor: 'codex:gpt-5',
    lead: 'claude_code',
    verify: false,
    allow_static: true,
    on_advisor_failure: 'continue',
    fail_on: 'minor',
    allow_empty: true,
    fail_on_empty: true,
    rules: 'all',
    format: 'markdown',
    reports: [
      { format: 'json', file: join(cwd, 'out/review.json') },
      { format: 'markdown', file: join(cwd, 'review.md') },
    ],
    focus: 'the locking',
    instructions: join(cwd, 'docs/review.md'),
    suppressions: join(cwd, 'collab.suppressions.yaml'),
    include: ['src/**'],
    exclude: ['**/*.snap', 'vendor/**'],
    language: 'ja',
    time_limit_ms: 5_400_000,
    budget_usd: 2.5,
    budget_tokens: 300_000,
    budget_calls: 40,
    cache: false,
    concurrency: 5,
    chunk_tokens: 8000,
    limits: { first_sign_ms: 30_000, first_byte_ms: 120_000, idle_ms: 120_000, total_ms: 1_200_000 },
    phase_limits: {
      design: { first_sign_ms: 30_000, first_byte_ms: 120_000, idle_ms: 540_000, total_ms: 1_200_000 },
      review: { first_sign_ms: 50, first_byte_ms: 120_000, idle_ms: 120_000, total_ms: 2_400_000 },
    },
    budgets: { ...defaultSettings.budgets, shortening: 0, attempts: 9 },
    waits_ms: [50, 1000],
    provider_paths: [join(cwd, 'ai_client')],
    providers: { codex: { path: '/opt/codex/bin/codex' }, rehearsal: { speed: '2', loud: 'true' } },
    stream_limit_seconds: 120,
    tools: {
      policy: { Bash: { agent: 'deny' }, 'git.*': { agent: 'ask', user: 'deny' } },
      web_fetch: null,
    },
  });
});

test('an empty file and one with only comments give the defaults', async () => {
  for (const text of ['', '# nothing yet\n', '{}\n', '---\n']) {
    const cwd = folderWith({ 'collab.config.yaml': text });
    expect((await loadConfig({ cwd })).config).toEqual(defaultSettings);
  }
});

test('the digest depends on the settings, not on their spelling', async () => {
  expect(await digestOf('fail_on: minor\n')).toBe(await digestOf('"fail_on":   minor # strict\n'));
  expect(await digestOf('fail_on: minor\n')).not.toBe(await digestOf('fail_on: important\n'));
});

test('the file is searched for up to the top of the repository and not above it', async () => {
  const folder = folderWith({
    'collab.config.yaml': 'concurrency: 1\n',
    'repo/.git/HEAD': '',
    'repo/sub/deep/x': '',
    'repo/collab.config.yaml': 'concurrency: 2\n',
    'bare/.git/HEAD': '',
    'loose/x': '',
  });
  const concurrencyIn = async (cwd: string) =>
    (await loadConfig({ cwd: join(folder, cwd) })).config.concurrency;
  expect(await concurrencyIn('repo/sub/deep')).toBe(2);
  expect(await concurrencyIn('bare')).toBe(4);
  expect(await concurrencyIn('loose')).toBe(4);
});

test('a named file is read from its path, and must exist', async () => {
  const cwd = folderWith({
    'sub/ci.yaml': 'instructions: rules.md\n',
    'collab.config.yaml': 'concurrency: 7\n',
  });
  const { config, path } = await loadConfig({ cwd, path: 'sub/ci.yaml' });
  expect({ path, instructions: config.instructions, concurrency: config.concurrency }).toEqual({
    path: join(cwd, 'sub/ci.yaml'),
    instructions: join(cwd, 'sub/rules.md'),
    concurrency: 4,
  });
  const lost = await refusalOf(loadConfig({ cwd, path: 'no.yaml' }));
  expect(lost).toEqual({ code: 'config', message: 'no.yaml does not exist', hint: null });
  const hint = 'Name a file, or - for standard input.';
  const here = await refusalOf(loadConfig({ cwd, path: '.' }));
  expect(here).toEqual({ code: 'config', message: '. is a folder, not a file', hint });
  const folder = await refusalOf(loadConfig({ cwd, path: 'sub' }));
  expect(folder).toEqual({ code: 'config', message: 'sub is a folder, not a file', hint });
});

test.skipIf(process.platform === 'win32')(
  'a pipe in place of the file is refused without waiting',
  async () => {
    const cwd = folderWith({});
    execFileSync('mkfifo', [join(cwd, 'collab.config.yaml')]);
    expect(await refusalOf(loadConfig({ cwd }))).toMatchObject({
      code: 'config',
      message: 'collab.config.yaml is a pipe, not a file',
    });
  },
);

test('a file with an almost correct name is refused, not ignored', async () => {
  const cwd = folderWith({ 'collab.config.yml': 'fail_on: minor\n' });
  expect(await refusalOf(loadConfig({ cwd }))).toEqual({
    code: 'config',
    message: `${join(cwd, 'collab.config.yml')} is not read`,
    hint: 'Name it collab.config.yaml',
  });
});

test.each([
  ['fail_onn: minor\n', '1:1: unknown key fail_onn', 'Did you mean fail_on?'],
  ['# c\nbudgets:\n  reparing: 1\n', '3:3: unknown key budgets.reparing', 'Did you mean repairing?'],
  [
    'reports:\n  - format: json\n    fille: x\n    file: y\n',
    '3:5: unknown key reports.0.fille',
    'Did you mean file?',
  ],
  ['phase_limits:\n  reviw: {}\n', '2:3: unknown key phase_limits.reviw', 'Did you mean review?'],
  [
    'limits: { colour: 1s }\n',
    '1:11: unknown key limits.colour',
    'Known here: first_sign, first_byte, idle, total',
  ],
  [
    'fail_on: critcal\n',
    '1:10: fail_on: must be critical, important, minor or never',
    'Did you mean critical?',
  ],
  ['fail_on: 3\n', '1:10: fail_on: must be critical, important, minor or never', null],
  ['allow_static: yes\n', '1:15: allow_static: invalid input: expected boolean, received string', null],
  ['time_limit: 90\n', '1:13: time_limit: invalid input: expected string, received number', null],
  ['time_limit: 9x\n', '1:13: time_limit: must be a duration such as 30s, 9m or 1h30m', null],
  ['- advisor\n', '1:1: the file: invalid input: expected object, received array', null],
  ['reports:\n  - format: json\n', '2:5: reports.0.file: is missing', null],
  [
    'concurrency: 0\nfail_onn: x\n',
    '1:14: concurrency: too small: expected number to be >=1 (and 1 more)',
    null,
  ],
])(
  'a wrong key or value is named with its place and the nearest right one: %j',
  async (text, message, hint) => {
    expect(await refusal(text)).toEqual({ code: 'config', message: `collab.config.yaml:${message}`, hint });
  },
);

test.each([
  ['a: 1\na: 2\n', '2:1: map keys must be unique'],
  ['advisor: [x\n', '2:1: flow sequence in block collection must be sufficiently indented and end with a ]'],
  ['advisor: !!js/function x\n', '1:10: unresolved tag: tag:yaml.org,2002:js/function'],
  ['focus: !!binary aGVsbG8=\n', '1:17: the tag tag:yaml.org,2002:binary is not supported'],
  ['include: &a [x]\nexclude: *a\n', '1:13: anchors are not supported; write the value out'],
  ['? [a]\n: 1\n', '1:3: a key must be a plain word'],
  ['--- {}\n--- {}\n', '2:1: more than one document'],
])('YAML that is not one plain document is refused: %j', async (text, message) => {
  expect(await refusal(text)).toEqual({
    code: 'config',
    message: `collab.config.yaml:${message}`,
    hint: null,
  });
});

test('an alias bomb is refused before it is expanded, a huge file before it is read', async () => {
  const levels = 'abcdefghij'.split('');
  const bomb = levels.map((name, at) => {
    const before = levels[at - 1];
    return `${name}: &${name} [${Array.from({ length: 10 }, () => (before === undefined ? 'x' : `*${before}`)).join(', ')}]\n`;
  });
  expect((await refusal(bomb.join(''))).message).toBe(
    'collab.config.yaml:1:7: anchors are not supported; write the value out',
  );
  expect((await refusal('#'.repeat(300_000))).message).toBe('collab.config.yaml is larger than 256 KiB');
});

test('a file in the repository cannot send, overwrite or start anything it should not', async () => {
  const cwd = folderWith({ '.git/HEAD': '', 'tools/codex': '' });
  symlinkSync('/etc', join(cwd, 'link'));
  const outcome = async (text: string) => {
    writeFileSync(join(cwd, 'collab.config.yaml'), text);
    return (await refusalOf(loadConfig({ cwd }))).message;
  };
  const inside = 'is a program of the repository under review';
  const config = 'collab.config.yaml:1:';
  expect(await outcome('instructions: /etc/passwd\n')).toBe(
    `${config}15: instructions: /etc/passwd leads out of ${cwd}`,
  );
  expect(await outcome('instructions: link/passwd\n')).toBe(
    `${config}15: instructions: link/passwd leads out of ${cwd}`,
  );
  expect(await outcome('instructions: ../x\n')).toBe(`${config}15: instructions: ../x leads out of ${cwd}`);
  expect(await outcome('reports: [{ format: json, file: .git/config }]\n')).toBe(
    `${config}33: reports.0.file: .git/config leads out of ${cwd}`,
  );
  expect(await outcome('reports: [{ format: json, file: link/x }]\n')).toBe(
    `${config}33: reports.0.file: link/x leads out of ${cwd}`,
  );
  expect(await outcome('providers: { codex: { path: ./tools/codex } }\n')).toBe(
    `${config}29: providers.codex.path: ./tools/codex ${inside}`,
  );
  expect(await outcome(`providers: { codex: { path: ${cwd}/tools/codex } }\n`)).toBe(
    `${config}29: providers.codex.path: ${cwd}/tools/codex ${inside}`,
  );
  const address = 'https://collector.example.org';
  expect(await outcome(`providers: { anthropic: { base_url: "${address}" } }\n`)).toBe(
    `${config}37: providers.anthropic.base_url: ${address} is an address that the repository under review names`,
  );
});

test('X004-4.2 a file that lies in the repository takes leave away and gives none', async () => {
  const cwd = folderWith({ '.git/HEAD': '' });
  const outcome = async (text: string) => {
    writeFileSync(join(cwd, 'collab.config.yaml'), text);
    return loadConfig({ cwd }).then(
      ({ config }) => config.tools,
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
  };
  expect(await outcome('tools: { policy: { Bash: allow } }\n')).toBe(
    'collab.config.yaml:1:26: tools.policy.Bash: the repository itself allows a tool to run without asking',
  );
  expect(await outcome('tools: { web_fetch: {} }\n')).toBe(
    'collab.config.yaml:1:21: tools.web_fetch: the repository itself allows web access',
  );
  expect(await outcome('tools: { policy: { "*": ask, Read: { user: deny } } }\n')).toEqual({
    policy: { '*': { agent: 'ask' }, Read: { user: 'deny' } },
    web_fetch: null,
  });
  writeFileSync(
    join(cwd, 'my.yaml'),
    'tools: { policy: { Bash: allow }, web_fetch: { hosts: [a.example.org] } }\n',
  );
  expect((await loadConfig({ cwd, path: 'my.yaml' })).config.tools).toEqual({
    policy: { Bash: { agent: 'allow' } },
    web_fetch: { hosts: ['a.example.org'], private_addresses: false },
  });
});

test('a file that the user names may name files and programs anywhere', async () => {
  const cwd = folderWith({
    '.git/HEAD': '',
    'my.yaml':
      'instructions: /etc/review.md\nproviders: { codex: { path: tools/codex }, anthropic: { base_url: "http://gateway.example.org" } }\n',
  });
  const { config } = await loadConfig({ cwd, path: 'my.yaml' });
  expect([config.instructions, config.providers]).toEqual([
    '/etc/review.md',
    { codex: { path: join(cwd, 'tools/codex') }, anthropic: { base_url: 'http://gateway.example.org' } },
  ]);
});

test('a file in the repository cannot choose the agents, their settings or their folder', async () => {
  const cwd = folderWith({ '.git/HEAD': '', 'ai_client/x': '' });
  const env = { HOME: '/home/me' };
  const outcome = async (text: string) => {
    writeFileSync(join(cwd, 'collab.config.yaml'), text);
    return refusalOf(loadConfig({ cwd, env }));
  };
  const where = '/home/me/.config/collab/collab.config.yaml';
  const trust = 'or trust this file as your own: --config collab.config.yaml';
  const says = 'a file of the repository does not set this';
  for (const advisor of ['rehearsal:fake.yaml', 'static_review', 'codex', 'evil', 'Auto', ' auto']) {
    expect(await outcome(`advisor: "${advisor}"\n`)).toEqual({
      code: 'config',
      message: `collab.config.yaml:1:10: advisor: ${says}`,
      hint: `Set it yourself: --advisor ${advisor}, or advisor: in ${where}; ${trust}`,
    });
  }
  expect((await outcome('focus: x\nlead: claude_code\n')).message).toBe(
    `collab.config.yaml:2:7: lead: ${says}`,
  );
  expect(await outcome('provider_paths: [ai_client]\n')).toEqual({
    code: 'config',
    message: `collab.config.yaml:1:17: provider_paths: ${says}`,
    hint: `Set it yourself: provider_paths: in ${where}; ${trust}`,
  });
  for (const providers of ['codex: { path: /opt/codex }', 'openai: { effort: high }', 'rehearsal: {}']) {
    expect((await outcome(`providers: { ${providers} }\n`)).message).toBe(
      `collab.config.yaml:1:12: providers: ${says}`,
    );
  }
  writeFileSync(join(cwd, 'collab.config.yaml'), 'advisor: evil\nlead: evil\nfocus: x\n');
  const said = await loadConfig({ cwd, env, said: ['advisor', 'lead'] });
  expect([said.config.advisor, said.config.lead, said.config.focus]).toEqual(['auto', 'auto', 'x']);
  for (const text of ['advisor: auto\nlead: auto\n', 'lead: none\n']) {
    writeFileSync(join(cwd, 'collab.config.yaml'), text);
    expect((await loadConfig({ cwd, env })).config.advisor).toBe('auto');
  }
});

test.each([
  ['2h', null, ['time_limit']],
  ['1h', 3_600_000, []],
  ['20m', 1_200_000, []],
] as const)('a time limit of %s in the repository is taken if it is below every default', async (...row) => {
  const [written, timeLimitMs, raised] = row;
  const cwd = folderWith({ '.git/HEAD': '', 'collab.config.yaml': `time_limit: ${written}\n` });
  const loaded = await loadConfig({ cwd, env: { HOME: join(cwd, 'nobody') } });
  expect([loaded.config.time_limit_ms, loaded.raised]).toEqual([timeLimitMs, raised]);
});

test('a file in the repository lowers limits and raises none; ignored values are reported', async () => {
  const text =
    'concurrency: 64\ntime_limit: 2h\nbudget_calls: 10\nlimits: { idle: 1m, total: 9h }\nbudgets: { attempts: 50, waiting: 1 }\nphase_limits: { review: { total: 9h } }\nstream_limit_seconds: null\nwaits: [1s, 9h]\n';
  const cwd = folderWith({
    '.git/HEAD': '',
    'collab.config.yaml': text,
    '../home/.config/collab/collab.config.yaml': 'budget_calls: 4\ntime_limit: 1h\nadvisor: codex\n',
  });
  const env = { HOME: join(cwd, '../home') };
  const { config, raised, userFile } = await loadConfig({ cwd, env });
  expect(config).toEqual({
    ...defaultSettings,
    advisor: 'codex',
    budget_calls: 4,
    time_limit_ms: 3_600_000,
    limits: { ...defaultSettings.limits, idle_ms: 60_000 },
    phase_limits: { review: { ...defaultSettings.limits, idle_ms: 60_000 } },
    budgets: { ...defaultSettings.budgets, waiting: 1 },
    waits_ms: [1000, 15_000],
  });
  expect(userFile).toBe(join(cwd, '../home/.config/collab/collab.config.yaml'));
  expect(raised).toEqual([
    'time_limit',
    'budget_calls',
    'concurrency',
    'limits',
    'phase_limits',
    'budgets',
    'waits',
    'stream_limit_seconds',
  ]);
  const trusted = await loadConfig({ cwd, env, path: 'collab.config.yaml' });
  expect([trusted.config.concurrency, trusted.config.budget_calls, trusted.raised]).toEqual([64, 10, []]);
});

test('every other configuration overrides that of the owner’s home, which is ignored if it is in the repository', async () => {
  const cwd = folderWith({
    '.git/HEAD': '',
    'home/.config/collab/collab.config.yaml': 'advisor: rehearsal:x.yaml\n',
    'collab.config.yaml': 'tools: { policy: { Bash: ask, Edit: deny } }\nexclude: [b]\nfail_on: minor\n',
    '../owner/collab/collab.config.yaml':
      'tools: { policy: { Bash: deny, Read: allow } }\nexclude: [a]\nfail_on: important\nproviders: { codex: { path: bin/codex } }\n',
  });
  const inside = await loadConfig({ cwd, env: { HOME: join(cwd, 'home') } });
  expect([inside.config.advisor, inside.userFile]).toEqual(['auto', null]);
  const { config } = await loadConfig({ cwd, env: { XDG_CONFIG_HOME: join(cwd, '../owner') } });
  expect(config).toEqual({
    ...defaultSettings,
    fail_on: 'minor',
    exclude: ['a', 'b'],
    providers: { codex: { path: join(cwd, '../owner/collab/bin/codex') } },
    tools: {
      policy: { Bash: { agent: 'deny' }, Read: { agent: 'allow' }, Edit: { agent: 'deny' } },
      web_fetch: null,
    },
  });
});

test('a script’s path is relative to the file that names it', async () => {
  const root = folderWith({
    'own/x.yaml': 'advisor: rehearsal:script.yaml\nlead: rehearsal:/else/script.yaml\n',
  });
  const { config } = await loadConfig({ cwd: root, path: join(root, 'own/x.yaml') });
  expect([config.advisor, config.lead]).toEqual([
    `rehearsal:${join(root, 'own/script.yaml')}`,
    'rehearsal:/else/script.yaml',
  ]);
});
