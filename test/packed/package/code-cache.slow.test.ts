/** The compiled code of V8 is stored beside the installed program for later runs. No content of that file changes a result. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { example, test, type Place } from '../place.ts';
import { installBeside } from '../packed-collab.ts';

const resultSchema = z.object({ outcome: z.string(), findings: z.array(z.unknown()) });

/** Installs a package that no other test uses. */
async function installAlone(place: Place) {
  const folder = join(place.folder, 'alone');
  mkdirSync(folder);
  const { command } = await installBeside(folder, []);
  const program = join(folder, 'node_modules/codex-collab/dist/program');
  const codes = (): readonly string[] =>
    readdirSync(program)
      .filter((name) => name.startsWith('code-'))
      .map((name) => join(program, name));
  for (const code of codes()) rmSync(code);
  const review = async (env: Readonly<Record<string, string>> = {}) => {
    const args = [
      'review',
      example('checkout.diff'),
      '--advisor',
      'static_review',
      '--report',
      'json=result.json',
    ];
    const { exitCode, stderr } = await execa(process.execPath, [command, ...args], {
      cwd: place.folder,
      env: { ...place.environment, ...env },
      extendEnv: false,
      reject: false,
    });
    const { outcome, findings } = resultSchema.parse(JSON.parse(place.read('result.json')));
    return { exitCode, outcome, findings, internal: stderr.includes('internal') };
  };
  return { folder, command, codes, review };
}

test('a run stores the compiled code of V8, and a damaged file changes no result', async ({
  place,
  expect,
}) => {
  const { codes, review } = await installAlone(place);
  const first = await review();
  expect(first).toMatchObject({ exitCode: 1, outcome: 'findings', internal: false });
  const [code = '', ...others] = codes();
  expect(others).toEqual([]);

  const stored = readFileSync(code);
  expect(await review()).toEqual(first);
  expect(readFileSync(code).equals(stored)).toBe(true);

  for (const damage of [
    Buffer.from(stored).fill(0, stored.length - 4000),
    stored.subarray(0, 1000),
    Buffer.alloc(0),
  ]) {
    writeFileSync(code, damage);
    expect(await review()).toEqual(first);
    // V8 refused the damaged file, and the run stored a new one.
    expect(readFileSync(code).length).toBeGreaterThan(100_000);
  }
}, 180_000);

test('NODE_DISABLE_COMPILE_CACHE=1 stores no code, and the packed package contains none', async ({
  place,
  expect,
}) => {
  const { folder, codes, review } = await installAlone(place);
  await review({ NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(codes()).toEqual([]);
  await review();
  expect(codes()).toHaveLength(1);
  const installed = join(folder, 'node_modules/codex-collab');
  const packed = await execa('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: installed,
    env: { npm_config_cache: join(place.folder, 'npm') },
  });
  expect(packed.stdout).toContain('dist/program/command-line.cjs');
  expect(packed.stdout).not.toContain('dist/program/code-');
}, 180_000);
