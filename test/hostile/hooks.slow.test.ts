/** The hooks that `collab init` writes, in a repository whose author tries to choose the program that they start. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import { prePushHook, stopHook } from '../../src/cli/setup/init-templates.ts';
import { manifest, useHostileClone } from './hostile-clone.ts';

const world = useHostileClone(
  `process.getBuiltinModule('node:fs').appendFileSync(process.env.TRACE, \`honest in \${process.cwd()}: \${process.argv[2]}\\n\`);`,
);
const { write, script, program, link, git, environment, trace } = world;

beforeEach(() => {
  const { root, clone } = world;
  git('init', '--quiet', '--bare', join(root, 'remote'));
  git('-C', clone, 'remote', 'add', 'origin', join(root, 'remote'));
  commit('one');
  git('-C', clone, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  commit('two');
  write('clone/.git/hooks/pre-push', prePushHook, 0o755);
  write('clone/.claude/hooks/collab-stop.mjs', stopHook);
  const planted = ['collab', 'npx', 'node', 'sed', 'mktemp', 'readlink', 'git', 'dirname'];
  for (const folder of ['node_modules/.bin', '.', 'src'])
    for (const name of planted) program(join('clone', folder, name), `committed ${folder}/${name}`);
  write('clone/package.json', JSON.stringify({ ...manifest, bin: { collab: 'collab' }, workspaces: ['*'] }));
});

const hooks = [
  ['pre-push', prePush],
  ['Stop', stop],
] as const;

describe.skipIf(process.platform === 'win32')('no program of the clone is started', () => {
  const paths: readonly (readonly [string, () => readonly string[]])[] = [
    ['is the system’s', () => []],
    ['begins with relative and empty entries', () => ['.', '', 'node_modules/.bin', 'src']],
    ['begins with entries of the clone', () => [world.clone, join(world.clone, 'node_modules/.bin')]],
    ['begins with a link to a folder of the clone', () => [link('bin', 'clone/node_modules/.bin')]],
    ['begins with programs that are links into the clone', linkedPrograms],
  ];
  test.each(
    hooks.flatMap(([hook, run]) => paths.map(([path, entries]) => [hook, path, run, entries] as const)),
  )('by the %s hook if PATH %s', async (hook, path, run, entries) => {
    await run(entries());
    // The shell takes the first program of a name: if that is a link into the clone, nothing is reviewed.
    const isStopped = hook === 'pre-push' && path.includes('links into');
    expect(trace()).toBe(isStopped ? '' : honest());
    expect(world.theirs.asked()).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32').each(hooks)(
  'the %s hook starts an installed collab outside of the clone',
  async (_, run) => {
    script('installed/collab', `echo "honest in $PWD: $1" >>"$TRACE"`);
    await run([join(world.clone, 'node_modules/.bin'), join(world.root, 'installed')]);
    expect(trace()).toBe(honest());
  },
);

function prePush(entries: readonly string[]) {
  // Git itself is started by its path: a hook inherits the caller's PATH.
  const found = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  return execa(found, ['push', 'origin', 'HEAD:main'], settings(entries));
}

function stop(entries: readonly string[]) {
  const input = JSON.stringify({ stop_hook_active: false });
  const file = join(world.clone, '.claude/hooks/collab-stop.mjs');
  return execa(process.execPath, [file], { ...settings(entries), input });
}

function settings(entries: readonly string[]) {
  return { cwd: world.clone, env: environment(entries), extendEnv: false, reject: false } as const;
}

function honest(): string {
  return `honest in ${world.clone}: review\n`;
}

function linkedPrograms(): readonly string[] {
  for (const name of ['collab', 'npx']) link(`linked/${name}`, `clone/node_modules/.bin/${name}`);
  return [join(world.root, 'linked')];
}

function commit(message: string): void {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  git('-C', world.clone, ...identity, 'commit', '--quiet', '--allow-empty', '-m', message);
}
