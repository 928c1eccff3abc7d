/**
 * Agents of an older version: the missing ability is named before anything starts, with a command that works on this
 * Node.
 */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe } from 'vitest';
import { repository, test, type Place } from '../packed/place.ts';

/** Without a first line that names a program, so that the finder takes it for a native program. */
const oldCodex = `
case "$*" in
  *--version*) echo "codex-cli 0.98.0";;
  *sandbox*) exit 0;;
  *) printf "%s\\n" "error: unexpected argument '--disable' found" "" "Usage: codex [OPTIONS]" "" "For more information, try '--help'." >&2; exit 2;;
esac
`;

/** The launcher of a package without a separate package for each system, as in Codex 0.98 and earlier. */
const codexOfOnePackage = '#!/usr/bin/env node\nprocess.stdout.write("codex-cli 0.58.0\\n");\n';

/** Ignores settings that it does not know, as every Codex does, by default. */
const codexWithoutSetting = `
case "$*" in
  *--version*) echo "codex-cli 0.150.0";;
  *sandbox*) exit 0;;
  *--strict-config*) echo 'Error: unknown configuration field \`skills.bundled\` in -c/--config override' >&2; exit 1;;
  *) read -r _; echo '{"id":1,"result":{"userAgent":"collab/0.150.0"}}'; cat >/dev/null;;
esac
`;

/** Knows the options of every launch, and lacks an option of a turn. */
const claudeWithoutOption = `#!/bin/sh
case "$*" in
  *--version*) echo "2.1.250 (Claude Code)";;
  *--system-prompt-file*) echo "error: unknown option '--system-prompt-file'" >&2; exit 1;;
  *) echo '{"loggedIn":true,"authMethod":"claude.ai"}';;
esac
`;

function withAgents(
  place: Place,
  { codex = oldCodex, claude }: { readonly codex?: string; readonly claude?: string } = {},
): Readonly<Record<string, string>> {
  const bin = join(place.folder, '../agents');
  mkdirSync(bin);
  writeFileSync(join(bin, 'codex'), codex);
  copyFileSync(join(repository, 'test/fixtures/bin/fake-claude.mjs'), join(bin, 'claude-too-old.mjs'));
  writeFileSync(
    join(bin, 'claude'),
    claude ?? `#!/bin/sh\nexec ${process.execPath} ${join(bin, 'claude-too-old.mjs')} "$@"\n`,
  );
  for (const name of ['codex', 'claude']) chmodSync(join(bin, name), 0o755);
  place.write('a.js', 'export const a = 1;\n');
  place.git('init', '-q');
  place.git('add', '.');
  place.git('commit', '-qm', 'one');
  place.write('a.js', 'export const a = 2;\n');
  const path = place.environment['PATH'] ?? '';
  return { PATH: `${bin}:${path}:${dirname(process.execPath)}:/usr/bin:/bin`, CODEX_API_KEY: 'sk-none' };
}

describe.skipIf(process.platform === 'win32')('with agents that are too old', () => {
  test('doctor names what each one lacks and how to update it', async ({ place, expect }) => {
    const { code, stdout } = await place.collab(['doctor'], { env: withAgents(place) });
    expect(code).toBe(4);
    expect(stdout).toMatch(
      /FAILS +codex program +The Codex at .*agents\/codex is too old: it does not support --disable\./,
    );
    expect(stdout).toContain('Update it: npm install --global @openai/codex');
    expect(stdout).toMatch(
      /differs +claude program +no lead: The Claude Code at .* is too old: it does not support --restricted\./,
    );
    const isOldNode = Number.parseInt(process.versions.node, 10) < 22;
    expect(stdout.includes('Its package requires Node 22')).toBe(isOldNode);
    expect(stdout).toContain(
      `Update it: npm install --global @anthropic-ai/claude-code${isOldNode ? '@latest' : ''}\n`,
    );
  });

  test('doctor names a setting and an option of a turn that they lack', async ({ place, expect }) => {
    const env = withAgents(place, { codex: codexWithoutSetting, claude: claudeWithoutOption });
    const { code, stdout } = await place.collab(['doctor'], { env });
    expect(code).toBe(4);
    expect(stdout).toMatch(/FAILS +codex program +.* is too old: it does not support -c skills\.bundled\./);
    expect(stdout).toMatch(
      /differs +claude program +no lead: .* is too old: it does not support --system-prompt-file\./,
    );
    const consult = ['consult', 'design', '--file', 'a.js', '--advisor', 'claude_code'];
    const consulted = await place.collab(consult, { env });
    expect(consulted.code).toBe(4);
    expect(`${consulted.stdout}${consulted.stderr}`.replaceAll(/\s+/g, ' ')).toContain(
      'it does not support --system-prompt-file',
    );
  });

  test('a Codex without a package for this system is reported as such, not as missing', async ({
    place,
    expect,
  }) => {
    const env = withAgents(place, { codex: codexOfOnePackage });
    for (const args of [
      ['doctor'],
      ['review', '--advisor', 'codex'],
      ['consult', 'design', '--file', 'a.js'],
    ]) {
      const { code, stdout, stderr } = await place.collab(args, { env });
      const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
      expect([args, code]).toEqual([args, 4]);
      expect(said).toMatch(
        /The Codex at \S+agents\/codex is too old or incomplete: @openai\/codex-\w+-\w+ is not installed with it/,
      );
      expect(said).toContain('Update it: npm install --global @openai/codex');
      expect(said).not.toContain('no `codex` on PATH');
    }
  });

  test.for([
    ['review', '--advisor', 'codex'],
    ['review', '--advisor', 'claude_code'],
    ['run', 'Change a', '--advisor', 'codex', '--lead', 'claude_code'],
    ['consult', 'design', '--file', 'a.js', '--advisor', 'claude_code'],
  ])('%j ends with the same words and with no option of the vendor', async (args, { place, expect }) => {
    const { code, stdout, stderr } = await place.collab(args, { env: withAgents(place) });
    const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/is too old: it does not support --(?:disable|restricted)\b/);
    expect(said).not.toMatch(/unknown option|unexpected argument/);
    expect(said).toContain('npm install --global');
    expect(code).toBe(4);
  });
});
