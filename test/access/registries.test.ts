/** Fails if a new route, tool, flag, field or setting has no row in `src/access`. */
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import {
  changes,
  commandFlags,
  commands,
  requests,
  routes,
  starts,
  toolAction,
  tools,
} from '../../src/access/actions.ts';
import { createProgram } from '../../src/cli/program.ts';
import { flagName, flagSettings } from '../../src/config/settings-table.ts';
import { openToolRegistry } from '../../src/runs/agents/model-lead-tools.ts';
import { watchTokens } from '../../src/server/access/valid-tokens.ts';
import { openAccess } from '../../src/server/access/open-access.ts';
import { createApplication } from '../../src/server/routes/application.ts';
import { runFieldsSchema } from '../../src/server/routes/run-fields.ts';
import { openConversations } from '../../src/server/conversations/conversations.ts';
import { openEngine } from '../../src/runs/engine/open-engine.ts';
import { createRunManager } from '../../src/server/runs/run-manager.ts';
import { createRunStreams } from '../../src/server/streams/run-streams.ts';
import { systemClock as clock } from '../../src/system/clock.ts';
import { scratchFolder, scratchRepository } from '../fixtures/scratch-repository.ts';

test('every route of the server has a row, and every row a route', () => {
  const known = routesOf(application());
  expect(known.length).toBeGreaterThan(15);
  expect(Object.keys(routes).toSorted()).toEqual(known);
});

test('every tool of a conversation has a row, and every row a tool', async () => {
  const { root } = scratchRepository();
  const web_fetch = { hosts: null, private_addresses: false };
  const registry = await openToolRegistry(root, {}, { policy: {}, web_fetch });
  const names = registry.list().map(({ name }) => name);
  expect(Object.keys(tools).toSorted()).toEqual(names.toSorted());
  const looking = registry.list().filter(({ readOnly }) => readOnly);
  const looks = looking.map(({ name }) => toolAction(name)?.does);
  expect(new Set(looks)).toEqual(new Set(['use a tool that only reads']));
});

test('every command has a row, and so has every flag of a command that a message starts', () => {
  const root = createProgram(() => undefined);
  const started = Object.keys(starts);
  const names = root.commands.map((command) => command.name());
  expect([...Object.keys(commands), ...started].toSorted()).toEqual(names.toSorted());
  const found = root.commands
    .filter((command) => started.includes(command.name()))
    .map((command) => [command.name(), keysOf(command)]);
  const listed = Object.entries(requests).map(([name, own]) => [
    name,
    [...Object.keys(own), ...flagSettings(commandOf(name))].toSorted(),
  ]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(found));
});

test('every flag of chat and serve and their subcommands has a row, and every row a flag', () => {
  const root = createProgram(() => undefined);
  const found = root.commands
    .filter((command) => ['chat', 'serve'].includes(command.name()))
    .flatMap((command) => flagsBelow(command));
  const listed = Object.entries(commandFlags).map(([name, own]) => {
    const ofSettings = name === 'chat' || name === 'serve' ? flagSettings(name) : [];
    return [name, [...Object.keys(own), ...ofSettings.map((one) => `--${flagName(one)}`)].toSorted()];
  });
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(found));
});

test('every field of a request for a run has a row', () => {
  const rows: Readonly<Record<string, object>> = requests;
  for (const { shape } of runFieldsSchema.options) {
    const kind = shape.kind.value;
    const known = [
      ...Object.keys(rows[kind] ?? {}),
      ...flagSettings(kind),
      'kind',
      ...(kind === 'review' ? ['input'] : []),
    ];
    expect([kind, Object.keys(shape).filter((field) => !known.includes(field))]).toEqual([kind, []]);
  }
});

test('an inherited property name is in no table', () => {
  expect(['constructor', 'toString', '__proto__', 'hasOwnProperty'].map(toolAction)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

/** The keys of the request that a command line makes: its arguments and its flags, except for display options. */
function keysOf(command: Command): readonly string[] {
  const flags = command.options.map((option) => option.attributeName());
  const words: Readonly<Record<string, readonly string[]>> = {
    run: ['task'],
    fix: ['run', 'findings'],
    consult: ['phase', 'brief'],
  };
  const isChange = (key: string) => command.name() === 'review' && Object.hasOwn(changes, key);
  const asked = [...new Set(flags)].filter((key) => !shown.has(key) && !isChange(key));
  return [...asked, ...(words[command.name()] ?? [])].toSorted();
}

/** Those of a command that only holds others are none. */
function flagsBelow(command: Command, before = ''): readonly (readonly [string, readonly string[]])[] {
  const name = `${before}${command.name()}`;
  const inner = command.commands.flatMap((one) => flagsBelow(one, `${name} `));
  const own = flagsOf(command);
  return own.length === 0 && inner.length > 0 ? inner : [[name, own], ...inner];
}

function flagsOf(command: Command): readonly string[] {
  return command.options.map(({ long, flags: written }) => long ?? written).toSorted();
}

function commandOf(name: string): keyof typeof starts {
  if (name === 'review' || name === 'run' || name === 'fix' || name === 'consult') return name;
  throw new Error(`${name} starts no run`);
}

/** They only change the output of the command, or the machine that performs it for its own caller. */
const shown = new Set([
  'detach',
  'verbose',
  'plain',
  'ascii',
  'format',
  'plan',
  'showPrompt',
  'remote',
  'engine',
]);

/** Routes of the page's own files depend on the build; here there is none. */
function routesOf(app: Pick<ReturnType<typeof application>, 'routes'>): readonly string[] {
  const own = app.routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'));
  return [...new Set(own.map(({ method, path }) => `${method} ${path}`))].toSorted();
}

function application() {
  const home = scratchFolder();
  const conversations = openConversations(home, clock);
  const engine = openEngine({ clock });
  const streams = createRunStreams({ clock, engine, onFault });
  const tokens = watchTokens({ tokens: null, clock, onFault });
  const ports = { readLine: unread, startRun: unasked, openLead: unasked, probeAgents: unasked };
  const place = { cwd: home, env: {}, ports };
  const shared = { ...place, conversations, engine, streams, tokens, clock, onFault, hidePaths: () => null };
  const runs = createRunManager({
    ...shared,
    providers: [],
    projection: {},
    turnLimitMs: null,
    isServerOpen: true,
  });
  const choice = { host: '127.0.0.1', allowHosts: [], allowOrigins: [], requireToken: false, providers: [] };
  return createApplication(
    { ...shared, runs, version: '0', pageFolder: home, stopping: new AbortController().signal },
    openAccess({ ...choice, home, env: {}, clock }),
  );
}

function onFault(error: unknown): never {
  throw error;
}

function unread(): never {
  throw new Error('nothing is read here');
}

function unasked(): Promise<never> {
  return Promise.reject(new Error('unasked'));
}
