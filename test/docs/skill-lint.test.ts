import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProgram } from '../../src/cli/program.ts';
import { readFrontMatter } from '../../src/parsers/yaml/front-matter.ts';
import { readYaml } from '../../src/parsers/yaml/read-yaml.ts';
import { exchangeSpecs, reverseSpecs } from '../../src/tags/tags.ts';

const root = join(import.meta.dirname, '../..');
const skills = ['codex-collab', 'claude-collab'];

/** The Agent Skills standard allows these fields and no others. */
const frontMatterSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  description: z.string().min(1).max(1024),
  license: z.string().optional(),
  compatibility: z.string().max(500).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

describe.each(skills)('the skill %s', (name) => {
  const text = read('skills', name, 'SKILL.md');
  const matter = readFrontMatter(text);
  const yaml = readYaml(matter?.yaml ?? '');

  test("has the standard's front matter, and its name is that of its folder", () => {
    const fields = frontMatterSchema.parse(yaml.ok ? yaml.value : null);
    expect(fields.name).toBe(name);
    expect(fields.metadata?.['version']).toBe(packageVersion());
  });

  test('is short enough to be loaded completely', () => {
    expect(text.split('\n').length).toBeLessThan(500);
    expect(Buffer.byteLength(text) / 4).toBeLessThan(5000);
  });

  test('runs nothing when it is loaded, and reads the same for an agent without substitution', () => {
    expect(text).not.toMatch(/!`/);
    expect(text).not.toMatch(/\$\{?(?:ARGUMENTS|CLAUDE_|\d)/);
  });

  test('names only files that are there', () => {
    const named = [...text.matchAll(/`((?:references\/)?[a-z-]+\.(?:md|yaml))`/g)].map(
      ([, file]) => file ?? '',
    );
    expect(named.filter((file) => !existsSync(join(root, 'skills', name, file)))).toEqual([]);
  });
});

test('the skill for Codex asks for what the tag table asks for', () => {
  const rows = read('skills/claude-collab/SKILL.md')
    .split('\n')
    .filter((line) => line.startsWith('| `['))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ +\| /)
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(
    exchangeSpecs.map(({ request, answer, sections }) => [
      `\`${request}\``,
      `\`${answer}\``,
      sections.map(({ name }) => `\`${name}\``).join(', '),
    ]),
  );
});

test('the lead’s answer forms are those of the tag table', () => {
  const blocks = shellBlocks().filter((block) => block.startsWith('collab answer'));
  const forms = blocks.map((block) => block.match(/^(?:\[RESPONSE.*|## .*)$/gm));
  expect(forms).toEqual(
    reverseSpecs
      .toReversed()
      .map(({ answer, sections }) => [answer, ...sections.map(({ name }) => `## ${name}`)]),
  );
});

test('every step is one plain command, so that one rule permits it', () => {
  expect(shellBlocks().length).toBeGreaterThan(5);
  for (const block of shellBlocks()) {
    const [command = '', ...rest] = block.split('\n');
    const [, delimiter] = /<<'([A-Z]+)'$/.exec(command) ?? [];
    expect(command).toMatch(/^collab [a-z]+/);
    expect(command.replace(/ <<'[A-Z]+'$/, '').replaceAll(/<[a-z]+>|"[^"]*"/g, 'word')).toMatch(
      /^[\w ./:=-]+$/,
    );
    expect(rest.at(-1)).toBe(delimiter);
  }
});

test('every command that it names exists, with its flags', () => {
  const text = read('skills/codex-collab/SKILL.md');
  const inline = [...text.matchAll(/`(collab [^`]+)`/g)].map(([, command]) => command ?? '');
  const commands = [...inline, ...shellBlocks().map((block) => block.split('\n')[0] ?? '')];
  expect(commands.length).toBeGreaterThan(12);
  expect(commands.filter((command) => !isUnderstood(command))).toEqual([]);
});

test('the plugins, the marketplace and the skills bear the version and the name of the package', () => {
  const plugin = z
    .looseObject({ name: z.string(), version: z.string() })
    .parse(json('.claude-plugin/plugin.json'));
  const market = z
    .looseObject({ plugins: z.array(z.looseObject({ name: z.string(), source: z.string() })) })
    .parse(json('.claude-plugin/marketplace.json'));
  expect(plugin).toMatchObject({ name: 'collab', version: packageVersion() });
  expect(json('.codex-plugin/plugin.json')).toMatchObject({ name: 'collab', version: packageVersion() });
  expect(market.plugins).toMatchObject([{ name: 'collab', source: './' }]);
});

function isUnderstood(command: string): boolean {
  const words = command
    .replace(/ <<'[A-Z]+'$/, '')
    .replaceAll(/"[^"]*"|<run>/g, 'word')
    .split(' ')
    .slice(1);
  try {
    createProgram(() => {}).parse(words, { from: 'user' });
    return true;
  } catch {
    return false;
  }
}

function shellBlocks(): readonly string[] {
  const text = read('skills/codex-collab/SKILL.md');
  return [...text.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, block]) => block ?? '');
}

function packageVersion(): string {
  return z.looseObject({ version: z.string() }).parse(json('package.json')).version;
}

function json(path: string): unknown {
  return JSON.parse(read(path));
}

function read(...path: readonly string[]): string {
  return readFileSync(join(root, ...path), 'utf8');
}
