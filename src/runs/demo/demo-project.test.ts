import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readScript } from '../../providers/rehearsal/read-script.ts';
import { packageFolder } from '../../system/package-folder.ts';
import { makeDemoProject, type DemoOptions } from './demo-project.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'collab-demo-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the project is a repository with one commit, in the folder of the run', async () => {
  const made = await make({ files: { 'src/a.ts': 'const a = 1;\n', 'README.md': '# a\n' } });
  expect(made).toEqual({
    folder: join(root, 'run/project'),
    task: 'Do it.',
    script: '../demo.yaml',
  });
  expect(git(made.folder, 'log', '--format=%s %an')).toBe('the project of the demo collab demo\n');
  expect(git(made.folder, 'ls-files')).toBe('README.md\nsrc/a.ts\n');
  expect(git(made.folder, 'status', '--porcelain', '--branch')).toBe('## main\n');
});

test('the script is copied completely, with its answer files, and its call log stays in place', async () => {
  writeFileSync(join(root, 'answer.md'), 'from a file');
  await make(
    {},
    { turns: 'call_log: calls.log\nturns: [{ answer_file: answer.md, delay_ms: 900 }, { answer: b }]' },
  );
  const { script } = await readScript(join(root, 'run/demo.yaml'));
  expect(script.turns.map(({ answer, delay_ms }) => [answer, delay_ms])).toEqual([
    ['from a file', 900],
    ['b', 0],
  ]);
  expect(script.call_log).toBe(join(root, 'calls.log'));
});

test('without pauses there is no waiting', async () => {
  const turns =
    'turns: [{ when: { role: lead }, answer: a, delay_ms: 900, edit_delay_ms: 90, edits: [{ path: a, content: a }] }]';
  await make({}, { turns, pauses: false });
  const { script } = await readScript(join(root, 'run/demo.yaml'));
  expect(script.turns[0]).toMatchObject({ delay_ms: 0, edit_delay_ms: 0, edits: [{ path: 'a' }] });
});

test.each(['../beside.txt', '/tmp/collab-demo-file', '.git/config'])(
  '%s is no file of a project',
  async (path) => {
    await expect(make({ files: { [path]: 'x' } })).rejects.toMatchObject({ code: 'input' });
    expect(existsSync(join(root, 'run/beside.txt'))).toBe(false);
  },
);

test('the shipped script names its project, and its edits fit the files', async () => {
  const { script } = await readScript(join(packageFolder(), 'examples/demo.yaml'));
  const files = new Map(Object.entries(script.project?.files ?? {}));
  for (const edit of script.turns.flatMap(({ edits }) => edits)) {
    if ('content' in edit) files.set(edit.path, edit.content);
    if (!('replace' in edit)) continue;
    const parts = (files.get(edit.path) ?? '').split(edit.replace.from);
    expect({ path: edit.path, found: parts.length - 1 }).toEqual({ path: edit.path, found: 1 });
    files.set(edit.path, parts.join(edit.replace.to));
  }
  expect([...files.keys()]).toContain('src/split.js');
});

async function make(
  project: { readonly files?: Record<string, string> },
  { turns = 'turns: [{ answer: a }]', ...options }: Partial<DemoOptions> & { readonly turns?: string } = {},
) {
  writeFileSync(join(root, 'script.yaml'), turns);
  return makeDemoProject({
    runFolder: join(root, 'run'),
    loaded: await readScript(join(root, 'script.yaml')),
    project: { task: 'Do it.', files: {}, ...project },
    pauses: true,
    env: process.env,
    signal: new AbortController().signal,
    ...options,
  });
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
