import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findClaude } from './find-claude.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-find-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function place(path: string, content: string, mode = 0o755): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
  return file;
}

function find(folders: readonly string[], configured: string | null = null): string | null {
  const PATH = folders.map((folder) => join(root, folder)).join(delimiter);
  const platform = { os: 'linux', arch: 'x64' } as const;
  return findClaude({ env: { PATH }, repository: join(root, 'repository'), configured, platform });
}

const native = '\x7fELF and so on';
const scope = 'node_modules/@anthropic-ai';

test('the first native program on PATH is used, through links', () => {
  const program = place('versions/2.1.330', native);
  mkdirSync(join(root, 'bin'));
  symlinkSync(program, join(root, 'bin/claude'));
  place('later/claude', native);
  expect(find(['nothing', 'bin', 'later'])).toBe(program);
});

test('the npm package’s program is used from its platform package, even if its install script never ran', () => {
  place(`global/${scope}/claude-code/bin/claude.exe`, 'echo "Error: native binary not installed."\n');
  place(
    `global/${scope}/claude-code-linux-x64/package.json`,
    '{"name":"@anthropic-ai/claude-code-linux-x64"}',
  );
  const program = place(`global/${scope}/claude-code-linux-x64/claude`, native);
  mkdirSync(join(root, 'global/bin'));
  symlinkSync(join(root, `global/${scope}/claude-code/bin/claude.exe`), join(root, 'global/bin/claude'));
  expect(find(['global/bin'])).toBe(program);
});

test('the musl package is used if the other one is missing', () => {
  place(`global/${scope}/claude-code/cli-wrapper.cjs`, '#!/usr/bin/env node\n');
  place(`global/${scope}/claude-code-linux-x64-musl/package.json`, '{}');
  const program = place(`global/${scope}/claude-code-linux-x64-musl/claude`, native);
  expect(find([], join(root, `global/${scope}/claude-code/cli-wrapper.cjs`))).toBe(program);
});

test('a placeholder without its program and a file that is not executable are skipped', () => {
  place('bare/claude', 'echo "Error: native binary not installed."\n');
  place('plain/claude', native, 0o644);
  expect(find(['bare', 'plain'])).toBeNull();
  const good = place('good/claude', native);
  expect(find(['bare', 'plain', 'good'])).toBe(good);
});

test('a script that starts Claude in its own way is used unchanged', () => {
  const script = place('local/claude', '#!/bin/sh\nexec /opt/claude "$@"\n');
  expect(find(['local'])).toBe(script);
});

test('no program of the repository is used, whether on PATH, linked or configured', () => {
  const hostile = place('repository/node_modules/.bin/claude', native);
  mkdirSync(join(root, 'innocent'));
  symlinkSync(hostile, join(root, 'innocent/claude'));
  expect(find(['repository/node_modules/.bin', 'innocent'])).toBeNull();
  expect(find([], 'node_modules/.bin/claude')).toBeNull();
});
