/**
 * Commands of `Bash` that try to outlive it or to see our files and processes: with the installed program, as root and
 * as another user.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { formOf } from '../../src/server/served.test-helper.ts';
import { processesNaming } from '../setup/process-table.ts';
import { test, type Place } from '../packed/place.ts';
import { until } from '../packed/started-command.ts';
import { asUser, isRoot, nobody, openTo } from './other-user.ts';

const canary = 'sk-CANARY-of-the-environment';
/** A user namespace in which no further namespace that could confine commands can be created. */
const withoutNamespaces: World['by'] = [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  'for kind in user pid mnt; do echo 0 >/proc/sys/user/max_${kind}_namespaces; done; exec "$@"',
  'sh',
];

interface World {
  /** Comes before the program on the command line. */
  readonly by: readonly [string, ...string[]];
}

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
}

/** A conversation whose input is piped; the rehearsed lead never answers, since only commands are typed. */
function startChat(place: Place, world: World): Started {
  return startIn(place, world, ['chat', '--lead', 'rehearsal', '--ascii']);
}

function startIn(place: Place, { by }: World, command: readonly string[]): Started {
  if (by[0] === 'setpriv') openTo(place, nobody);
  const [file, ...args] = [...by, process.execPath, place.command, ...command];
  const child = spawn(file, args, {
    cwd: place.folder,
    env: environmentOf(place),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) child.kill('SIGKILL');
  });
  return { child, said: () => said };
}

function environmentOf(place: Place): Record<string, string> {
  return {
    ...place.environment,
    PATH: process.env['PATH'] ?? '',
    ANTHROPIC_API_KEY: canary,
    XDG_STATE_HOME: join(place.folder, '../state'),
  };
}

async function chat(place: Place, world: World, ...lines: readonly string[]): Promise<string> {
  const { child, said } = startChat(place, world);
  child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  await new Promise((resolve) => child.once('close', resolve));
  return said();
}

let naps = 700;
function namedSleep(): string {
  naps += 1;
  return `sleep ${naps}.${process.pid}`;
}

/** A command as it is typed: one word for the slash line. */
function bash(command: string): string {
  return `/bash ${JSON.stringify({ command })}`;
}

const worlds: readonly (readonly [string, World])[] = isRoot
  ? [
      // A mount table of its own: a program that does not confine its commands would let them unmount shared folders.
      ['as root', { by: ['unshare', '--mount', '--'] }],
      ['as another user', { by: asUser(nobody) }],
    ]
  : [['as this user', { by: ['env'] }]];

test.runIf(isRoot)(
  'a user that the system does not list, as in a container, can start every command',
  { timeout: 60_000 },
  async ({ place, expect }) => {
    openTo(place, '54321');
    const by = asUser('54321');
    for (const command of [['doctor'], ['tools'], ['chat', '--lead', 'rehearsal', '--ascii']]) {
      const { child, said } = startIn(place, { by }, command);
      child.stdin?.end("/bash 'id -u'\n");
      await until(`the end of ${command[0]}`, () => child.exitCode !== null);
      expect(said()).not.toContain('bug in collab');
      if (command[0] === 'chat') expect(said()).toContain('54321');
    }
  },
);

describe.skipIf(process.platform !== 'linux').each(worlds)('%s', (_, world) => {
  test.for([
    ['a background process', (sleeper: string) => `${sleeper} &`],
    ['a session of its own', (sleeper: string) => `setsid ${sleeper} &`],
    ['a session of its own without an environment', (sleeper: string) => `env -i setsid ${sleeper} &`],
    ['a double fork', (sleeper: string) => `(setsid sh -c '(${sleeper} &) &' &)`],
    ['nohup', (sleeper: string) => `nohup ${sleeper} &`],
    ['ignored signals', (sleeper: string) => `(trap '' TERM HUP INT; exec setsid ${sleeper}) &`],
    [
      'a chain that starts the next before it ends',
      (sleeper: string) => `setsid sh -c 'while :; do ${sleeper} & sleep 0.01; done' &`,
    ],
  ] as const)('no process survives a command by %s', async ([, leave], { place, expect }) => {
    const sleeper = namedSleep();
    const said = await chat(
      place,
      world,
      bash(`(${leave(sleeper)}) >/dev/null 2>&1 </dev/null; sleep 0.2; echo done`),
    );
    expect(said).toContain('done');
    await until('the end of all of it', () => processesNaming(sleeper).length === 0);
  });

  test.for(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'no process survives collab that ends by %s while a command runs',
    async (signal, { place }) => {
      const sleeper = namedSleep();
      const { child } = startChat(place, world);
      const command = `setsid ${sleeper} & env -i setsid nohup ${sleeper} & ${sleeper}`;
      child.stdin?.write(`${bash(command)}\n`);
      await until('the three processes', () => processesNaming(sleeper).filter(isSleep).length >= 3);
      child.kill(signal);
      await until('the end of all three', () => processesNaming(sleeper).length === 0);
    },
  );

  test.for([
    ['its parent', 'tr "\\0" "\\n" </proc/$PPID/environ'],
    ['every process', 'cat /proc/[0-9]*/environ | tr "\\0" "\\n"'],
    ['every command line', 'ps axwwe; cat /proc/[0-9]*/cmdline | tr "\\0" " "'],
    ['the memory of a process', 'for p in /proc/[0-9]*; do grep -a CANARY $p/environ $p/mem; done'],
    ['the table below the table', 'umount /proc; umount -l /proc; cat /proc/[0-9]*/environ | tr "\\0" "\\n"'],
    [
      'a table of its own',
      'unshare --user --map-root-user --mount --pid --fork sh -c "mount -t proc none /proc; cat /proc/*/environ; umount /proc; cat /proc/*/environ" | tr "\\0" "\\n"',
    ],
  ] as const)('the environment of collab is not seen by %s', async ([, command], { place, expect }) => {
    const said = await chat(place, world, bash(`exec 2>/dev/null; ${command}; echo looked`));
    expect(said).toContain('looked');
    expect(said.replaceAll(command, '')).not.toContain(canary);
  });

  test.for([
    ['a path', 'cat ../state/collab/cache.key .collab/conversations/*/history.json'],
    [
      'the root of a process',
      'cat /proc/*/root$PWD/../state/collab/cache.key /proc/*/cwd/../state/collab/cache.key',
    ],
    ['a search', 'find .. -type f -exec cat {} +'],
    ['an unmount', 'umount ../state/collab; umount -l ../state/collab; cat ../state/collab/cache.key'],
    ['a bind mount', 'unshare -Urm sh -c "mkdir m; mount --bind .. m; cat m/state/collab/cache.key"'],
    ['a login of an agent', 'cat ~/.codex/auth.json ~/.claude/.credentials.json $HOME/.claude.json'],
  ] as const)('our folders and logins are not seen by %s', async ([, command], { place, expect }) => {
    const root = join(place.folder, '..');
    for (const file of [
      'state/collab/cache.key',
      'home/.codex/auth.json',
      'home/.claude/.credentials.json',
    ]) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), 'CANARY-of-a-file\n');
    }
    writeFileSync(join(root, 'home/.claude.json'), 'CANARY-of-a-file\n');
    chmodSync(join(root, 'state/collab'), 0o700);
    const said = await chat(place, world, bash(`exec 2>/dev/null; ${command}; echo looked`));
    expect(said).toContain('looked');
    expect(said).not.toContain('CANARY-of-a-file');
    expect(readFileSync(join(root, 'state/collab/cache.key'), 'utf8')).toBe('CANARY-of-a-file\n');
  });

  test('a command works in the repository as before', async ({ place, expect }) => {
    place.git('init', '-q');
    const said = await chat(place, world, bash('echo new >a.txt && git status --porcelain && id -u'));
    expect(said).toContain('?? a.txt');
    expect(said).not.toContain('.collab');
    expect(existsSync(join(place.folder, 'a.txt'))).toBe(true);
  });
});

describe
  .skipIf(process.platform !== 'linux')
  .each(
    worlds.map(([name, { by }]) => [name, { by: [...by, ...withoutNamespaces] } satisfies World] as const),
  )('where no namespace can be made, %s', (_, world) => {
  test('the first line says so, and a command runs only after approval', async ({ place, expect }) => {
    const said = await chat(place, world, bash('echo ran >ran.txt'));
    expect(said).toContain('commands cannot be confined here');
    expect(said).toContain('Bash was not allowed to run');
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(false);
  });

  test('a server says so, and neither a grant nor the owner’s own rules allow Bash', async ({
    place,
    expect,
  }) => {
    place.write('collab.config.yaml', 'tools:\n  policy:\n    Bash: allow\n');
    const call = { call: { name: 'Bash', input: { command: 'echo ran >ran.txt' } } };
    const turn = { when: { work: 'converse' }, messages: [call], answer: 'Done.', repeat: 'forever' };
    place.write('lead.yaml', stringify({ turns: [turn] }));
    const granted = execFileSync(
      process.execPath,
      [place.command, 'serve', 'token', 'create', '--tenant', 'acme', '--may', 'tool:Bash'],
      { cwd: place.folder, env: environmentOf(place), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const authorization = `Bearer ${granted.trim()}`;
    const speakers = [
      ['acme', ['--require-token'], { authorization }],
      ['local', [], {}],
    ] as const;
    const fixed = ['--config', join(place.folder, 'collab.config.yaml'), '--language', 'en'];
    for (const [tenant, flags, headers] of speakers) {
      const args = ['serve', '--port', '0', '--lead', 'rehearsal:lead.yaml', ...fixed, ...flags];
      const { child, said } = startIn(place, world, args);
      await until('the address of the server', () => /serves at \S+/.test(said()));
      expect(said()).toMatch(
        /^collab: commands cannot be confined here \(.+\): no one gets Bash from this server$/m,
      );
      const url = /serves at (\S+)/.exec(said())?.[1] ?? '';
      for (const text of [`/Bash 'echo ran >ran.txt'`, 'Run it.']) {
        const address = `${url}/api/tenants/${tenant}/conversations/c-${text.length}/stream`;
        const answer = await fetch(address, { method: 'POST', headers, body: formOf(text) });
        expect(await answer.text()).toMatch(
          /Bash was not allowed to run: (?:commands cannot be confined here|no one is there)/,
        );
      }
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
    }
    expect(existsSync(join(place.folder, 'ran.txt'))).toBe(false);
  });

  test('doctor says so and what to do', async ({ place, expect }) => {
    const { child, said } = startIn(place, world, ['doctor']);
    await new Promise((resolve) => child.once('close', resolve));
    expect(said()).toMatch(/differs +commands +cannot be confined \(.+\): leads and guests get no Bash/);
    expect(said()).toContain('user.max_user_namespaces');
  });
});

function isSleep({ command }: { readonly command: string }): boolean {
  return command.startsWith('sleep ');
}
