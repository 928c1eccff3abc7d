import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { loadConfig } from '../../config/load-config.ts';
import { defaultSettings, settingNames, settingRow } from '../../config/settings-table.ts';
import { loadSkill } from '../../prompts/skills/skill-folder.ts';
import { collab, sessionIn } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { initProject, type InitFlags } from './init-command.ts';

const configAndSkills = [
  'collab.config.yaml',
  ...[
    'SKILL.md',
    'design.md',
    'implementation.md',
    'references/protocol.md',
    'requirements.md',
    'review.md',
    'workflow.yaml',
  ].map((file) => `.claude/skills/codex-collab/${file}`),
];

async function init(root: string, flags: InitFlags = {}) {
  const { session, printed } = sessionIn({ root, env: { PATH: process.env['PATH'] ?? '' } });
  expect(await initProject(session, flags)).toBe(0);
  return printed().out;
}

/** The result for each file. */
async function initStates(cwd: string, flags: InitFlags = {}) {
  const { files } = reportSchema.parse(JSON.parse(await init(cwd, { ...flags, json: true })));
  return Object.fromEntries(files.map(({ path, state }) => [path, state]));
}

const reportSchema = z.strictObject({
  root: z.string(),
  files: z.array(z.strictObject({ path: z.string(), state: z.string(), why: z.string().nullable() })),
  allow: z.literal('Bash(collab *)'),
  allowed: z.boolean(),
});

test('configuration and skills are written to the top of the repository, for each agent its own', async () => {
  const { root, write } = scratchRepository();
  write('packages/a/x.ts', '');
  const states = await initStates(join(root, 'packages/a'));
  expect(Object.keys(states)).toEqual([...configAndSkills, '.agents/skills/claude-collab/SKILL.md']);
  expect(new Set(Object.values(states))).toEqual(new Set(['written']));
  expect(await loadSkill(join(root, '.claude/skills/codex-collab'))).toEqual(await loadSkill(null));
});

test('the configuration changes nothing until one of its lines is uncommented', async () => {
  const root = scratchFolder();
  await init(root);
  const file = join(root, 'collab.config.yaml');
  expect((await loadConfig({ cwd: root })).config).toEqual(defaultSettings);
  const examples = new Set<string>(settingNames.filter((name) => settingRow(name).example !== undefined));
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => /^# ([a-z_]+): .*$/.exec(line) ?? [])
    .filter((line) => line.startsWith('# '));
  expect(lines.length).toBeGreaterThan(20);
  writeFileSync(
    file,
    lines
      .filter((line) => !examples.has(keyOf(line)))
      .map((line) => `${line.slice(2)}\n`)
      .join(''),
  );
  expect((await loadConfig({ cwd: root })).config).toEqual(defaultSettings);
  writeFileSync(join(root, 'REVIEW.md'), '');
  writeFileSync(file, lines.map((line) => `${line.slice(2)}\n`).join(''));
  expect((await loadConfig({ cwd: root })).config.focus).toBe('the locking');
});

test('a second run changes nothing', async () => {
  const { root } = scratchRepository();
  const wishes = { ci: true, prePush: true, stopHook: true, allow: true };
  await init(root, wishes);
  const again = await initStates(root, wishes);
  expect(new Set(Object.values(again))).toEqual(new Set(['same']));
  expect(Object.keys(again)).toEqual(
    expect.arrayContaining([
      '.github/workflows/collab.yml',
      '.github/workflows/collab-comments.yml',
      '.git/hooks/pre-push',
      '.claude/hooks/collab-stop.mjs',
      '.claude/settings.json',
    ]),
  );
});

test('existing files are kept and reported, and the others are written', async () => {
  const root = scratchFolder();
  const own = '.claude/skills/codex-collab/design.md';
  mkdirSync(dirname(join(root, own)), { recursive: true });
  writeFileSync(join(root, own), 'our own design\n');
  const printed = await init(root);
  expect(readFileSync(join(root, own), 'utf8')).toBe('our own design\n');
  expect(printed).toContain(`left  ${own}\n`);
  expect(printed).toContain('wrote collab.config.yaml\n');
  expect(printed).toContain(`kept, because it differs from the file of collab init: ${own}\n`);
  expect(printed).toContain('move your file away and run this again');
  expect(printed).toContain('collab init --allow (adds Bash(collab *)');
});

test('a link that leads out of the project is refused before anything is written', async () => {
  const root = scratchFolder();
  const elsewhere = scratchFolder();
  mkdirSync(join(root, '.agents'));
  symlinkSync(elsewhere, join(root, '.agents/skills'));
  expect(await refusalOf(init(root))).toMatchObject({
    code: 'input',
    message: `${join(root, '.agents/skills/claude-collab')} leads out of the project, to ${elsewhere}`,
  });
  expect(existsSync(join(root, 'collab.config.yaml'))).toBe(false);
});

test('a link within the project is followed', async () => {
  const root = scratchFolder();
  mkdirSync(join(root, '.agents/skills'), { recursive: true });
  mkdirSync(join(root, '.claude'));
  symlinkSync('../.agents/skills', join(root, '.claude/skills'));
  const states = await initStates(root);
  expect(states['.claude/skills/codex-collab/SKILL.md']).toBe('written');
  expect(states['.agents/skills/claude-collab/SKILL.md']).toBe('written');
});

describe("Claude Code's settings", () => {
  const settings = '.claude/settings.json';

  test('get no permission without a request', async () => {
    const root = scratchFolder();
    const printed = await init(root, { stopHook: true });
    expect(readFileSync(join(root, settings), 'utf8')).not.toContain('permissions');
    expect(printed).toContain('collab init --allow');
  });

  test('get the rule with --allow, and the advice ends', async () => {
    const root = scratchFolder();
    const printed = await init(root, { allow: true });
    expect(JSON.parse(readFileSync(join(root, settings), 'utf8'))).toEqual({
      permissions: { allow: ['Bash(collab *)'] },
    });
    expect(printed).not.toContain('--allow');
    expect(await init(root)).not.toContain('--allow');
  });

  test('are added to if they exist, with their mode', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, settings), '{\n  // ours\n  "model": "opus"\n}\n', { mode: 0o640 });
    expect(await initStates(root, { allow: true, stopHook: true })).toMatchObject({ [settings]: 'changed' });
    const text = readFileSync(join(root, settings), 'utf8');
    expect(text).toContain('{\n  // ours\n  "model": "opus",');
    expect(text).toContain('Bash(collab *)');
    expect(text).toContain('collab-stop.mjs');
    expect(statSync(join(root, settings)).mode & 0o777).toBe(0o640);
    expect(await initStates(root, { allow: true, stopHook: true })).toMatchObject({ [settings]: 'same' });
  });

  test('are kept, with the reason, if they cannot be added to', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, settings), '{"permissions": {"deny": ["Bash(collab *)"]}}');
    const printed = await init(root, { allow: true });
    expect(printed).toContain(`nothing was added to ${settings}: permissions.deny has this rule`);
    expect(readFileSync(join(root, settings), 'utf8')).toBe('{"permissions": {"deny": ["Bash(collab *)"]}}');
  });

  test('are not written through a link', async () => {
    const root = scratchFolder();
    const elsewhere = join(scratchFolder(), 'settings.json');
    writeFileSync(elsewhere, '{}');
    mkdirSync(join(root, '.claude'));
    symlinkSync(elsewhere, join(root, settings));
    expect(await init(root, { allow: true })).toContain(`nothing was added to ${settings}: it is not a file`);
    expect(readFileSync(elsewhere, 'utf8')).toBe('{}');
  });
});

describe('the folder of the pre-push hook', () => {
  test('is in the repository, and the hook is executable', async () => {
    const { root } = scratchRepository();
    await init(root, { prePush: true });
    expect(statSync(join(root, '.git/hooks/pre-push')).mode & 0o111).toBe(0o111);
  });

  test('is the value of core.hooksPath', async () => {
    const { root, git } = scratchRepository();
    git('config', 'core.hooksPath', 'scripts/hooks');
    expect(await initStates(root, { prePush: true })).toMatchObject({ 'scripts/hooks/pre-push': 'written' });
  });

  test('is refused if it is outside of the repository', async () => {
    const { root, git } = scratchRepository();
    const elsewhere = scratchFolder();
    git('config', 'core.hooksPath', elsewhere);
    expect(await refusalOf(init(root, { prePush: true }))).toMatchObject({
      code: 'usage',
      message: `the hooks of this repository are outside it, in ${elsewhere}`,
    });
  });

  test('needs a repository', async () => {
    const folder = scratchFolder();
    expect(await refusalOf(init(folder, { prePush: true }))).toMatchObject({
      code: 'usage',
      message: `--pre-push needs a git repository, and ${folder} is not in one`,
    });
    expect(existsSync(join(folder, 'collab.config.yaml'))).toBe(false);
  });
});

/** The lines about files that are new, in a column of this width. */
function fileLines(width: number): readonly string[] {
  const files = [...configAndSkills, '.agents/skills/claude-collab/SKILL.md'];
  return files.map((file) => `${'wrote'.padEnd(width)} ${file}`);
}

describe('the report', () => {
  const advice = [
    '  for Claude Code to use the skill without asking: collab init --allow (adds Bash(collab *)',
    '  to .claude/settings.json)',
  ];

  test('names each file and the next steps', async () => {
    const root = scratchFolder();
    expect(await init(root)).toBe(
      [`project ${root}`, ...fileLines(5), '', 'next: commit these files', ...advice, ''].join('\n'),
    );
  });

  test('has the steps to the first comment with --ci, and a wider column if a file is added to', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, '.claude/settings.json'), '{}');
    expect(await init(root, { ci: true, allow: true })).toBe(
      [
        `project ${root}`,
        ...fileLines(8),
        'wrote    .github/workflows/collab.yml',
        'wrote    .github/workflows/collab-comments.yml',
        'added to .claude/settings.json',
        '',
        'next: set the secrets of the repository, on GitHub or with gh',
        '  gh secret set CODEX_API_KEY        an API key of OpenAI, for reviews',
        '  gh secret set ANTHROPIC_API_KEY    an API key of Anthropic, only for /collab fix',
        '  gh secret set COLLAB_CACHE_KEY     optional: any long random word, with which our comments are signed',
        'then: commit these files, push them to the default branch, and open a pull request',
        '',
      ].join('\n'),
    );
  });

  test('explains what was kept, and why nothing was added', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, '.claude/settings.json'), '{"permissions": {"deny": ["Bash(collab *)"]}}');
    writeFileSync(join(root, 'collab.config.yaml'), 'focus: ours\n');
    expect((await init(root, { allow: true })).split('\n').slice(-11)).toEqual([
      'left  .claude/settings.json',
      '',
      'nothing was added to .claude/settings.json: permissions.deny has this rule; change it by hand, or leave it so',
      '',
      'kept, because it differs from the file of collab init: collab.config.yaml',
      '  to get the new version, move your file away and run this again; then merge your own lines',
      '',
      'next: commit these files',
      ...advice,
      '',
    ]);
  });
});

describe('the permission', () => {
  const settings = '.claude/settings.json';

  /** Calls init at a terminal at which a person answers the question, if there is one. */
  async function initAt(root: string, answer: string, args: readonly string[] = [], env = {}) {
    const terminal = createTerminal([['1-2: ', `${answer}\n`]], { screen: { movesCursor: false } });
    const { code } = await collab({ root, env }, ['init', ...args], terminal.how);
    expect(code).toBe(0);
    return { shown: terminal.shown(), isAllowed: existsSync(join(root, settings)) };
  }

  test('is offered to a person, who gives it or does not', async () => {
    const root = scratchFolder();
    const refused = await initAt(root, '1');
    expect(refused.isAllowed).toBe(false);
    expect(refused.shown).toContain(
      [
        'May Claude Code run every collab command in this project without asking?',
        '  1. no, it asks before each',
        '  2. yes, add Bash(collab *) to .claude/settings.json',
        '1-2: ',
      ].join('\n'),
    );
    expect((await initAt(root, '2')).isAllowed).toBe(true);
    expect((await initAt(root, '1')).shown).not.toContain('May Claude Code');
  });

  test.each([
    ['with --no-allow', ['--no-allow'], {}],
    ['with --json', ['--json'], {}],
    ['in a job of CI', [], { CI: 'true' }],
  ])('is not offered %s', async (_when, args, env) => {
    const { shown, isAllowed } = await initAt(scratchFolder(), '2', args, env);
    expect([shown.includes('May Claude Code'), isAllowed]).toEqual([false, false]);
  });

  test('is not offered if only one of input and standard error is a terminal', async () => {
    for (const [isTTY, err] of [
      [true, false],
      [false, true],
    ] as const) {
      const root = scratchFolder();
      const { session, printed } = sessionIn(
        { root, env: {} },
        { screen: { interactive: { out: true, err } } },
      );
      session.stdin.isTTY = isTTY;
      expect(await initProject(session, {})).toBe(0);
      expect([printed().err, existsSync(join(root, settings))]).toEqual(['', false]);
    }
  });
});

function keyOf(comment: string): string {
  return comment.slice(2, comment.indexOf(':'));
}
