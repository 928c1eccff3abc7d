import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { loadConfig } from '../../config/load-config.ts';
import { defaultSettings, settingNames, settingRow } from '../../config/settings-table.ts';
import { loadSkill } from '../../prompts/skills/skill-folder.ts';
import { sessionIn } from '../command.test-helper.ts';
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

function keyOf(comment: string): string {
  return comment.slice(2, comment.indexOf(':'));
}
