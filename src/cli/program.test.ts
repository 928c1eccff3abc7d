import type { Argument, Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { CollabError } from '../errors/collab-error.ts';
import type { Engine } from '../runs/engine/engine.ts';
import { version } from '../version.ts';
import { collab } from './command.test-helper.ts';
import { createProgram, readCommand } from './program.ts';

const nowhere = { root: '/', env: {} };

/** Carries out a command whose engine fails with this error. */
function failing(error: unknown, args: readonly string[] = ['runs'], endedBy: 'SIGTERM' | null = null) {
  const describeAll = async () => {
    throw error;
  };
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the command asks of an engine
  const engine = { describeAll } as unknown as Engine;
  return collab(nowhere, args, { engine, endedBy: () => endedBy });
}

test.each([
  [['nope'], "unknown command 'nope' (Did you mean open?)"],
  [['review', '--stagged'], "unknown option '--stagged' (Did you mean --staged?)"],
  [['gate'], "missing required argument 'result.json'"],
  [['answer', 'latest'], "required option '--file <answer.md>' not specified"],
  [
    ['review', '--effort', 'huge'],
    "option '--effort <level>' argument 'huge' is invalid. Allowed choices are quick, standard, deep.",
  ],
])('a wrong command line ends with 2 and one line on standard error: %j', async (args, message) => {
  expect(await collab(nowhere, args)).toEqual({
    code: 2,
    out: '',
    err: `collab: ${message}\n  collab --help lists the commands and flags\n`,
  });
});

test.each([
  [[], /^Usage: collab \[options\] \[command\]\n[^]*\nFirst steps:\n {2}collab demo /],
  [['--help'], /^Usage: collab \[options\] \[command\]\n[^]* {2}collab doctor /],
  [['gate', '--help'], /^Usage: collab gate \[options\] <result.json>\n[^]*\nExample:\n/],
  [['--version'], new RegExp(`^${version.replaceAll('.', '\\.')}\n$`)],
])('help and version are printed on standard output: %j', async (args, text) => {
  expect(await collab(nowhere, args)).toEqual({ code: 0, out: expect.stringMatching(text), err: '' });
});

test.each([
  [
    ['review', '--staged', '--', 'a b', '-c'],
    { kind: 'review', changes: [{ kind: 'staged' }], paths: ['a b', '-c'] },
  ],
  [['--debug', 'review', '--', 'a'], { kind: 'review', changes: [], paths: ['a'] }],
  [['review', '--path', 'a'], { kind: 'review', changes: [], paths: ['a'] }],
  [['run', '--', '-x'], { kind: 'run', task: '-x' }],
])('the paths behind -- are those of a review, and a word of any other command: %j', (args, request) => {
  expect(readCommand(args)?.starts?.request).toEqual(request);
});

test('a command that starts no run has an action alone', () => {
  expect(readCommand(['runs'])).toEqual({ action: expect.any(Function), starts: null });
});

test('a failure is its message and its hint; --debug adds the stack', async () => {
  const error = new CollabError('internal', 'no \u001b[31mdatabase', { hint: 'start it' });
  expect(await failing(error)).toEqual({ code: 4, out: '', err: 'collab: no ␛[31mdatabase\n  start it\n' });
  const { err } = await failing(error, ['--debug', 'runs']);
  expect(err).toMatch(/^collab: no ␛\[31mdatabase\n {2}start it\nCollabError: .*\n {4}at /);
  expect(await failing(new CollabError('input', 'wrong'))).toEqual({
    code: 2,
    out: '',
    err: 'collab: wrong\n',
  });
});

test('a fault of the disk is no bug of collab', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  const { code, err } = await failing(full);
  expect([code, err]).toEqual([
    4,
    expect.stringMatching(/^collab: .*the disk is full.*\n {2}Free disk space, .*\n$/),
  ]);
});

test('any other error is a bug: masked, and its stack is printed with --debug alone', async () => {
  const bug = new TypeError('it was sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789');
  const { code, out, err } = await failing(bug);
  expect([code, out]).toEqual([4, '']);
  expect(err).toMatch(
    /^collab: internal error: it was .*\n {2}This is a bug in collab; run it again with --debug for the stack.\n$/,
  );
  const debugged = await failing(bug, ['--debug', 'runs']);
  expect(debugged.err).toMatch(/stack.\nTypeError: it was .*\n {4}at /);
  for (const text of [err, debugged.err]) expect(text).not.toContain('abcdefghijklmnop');
  expect((await failing('a text')).err).toMatch(/^collab: internal error: a text\n/);
});

test('a signal decides the exit code, and its error is not printed', async () => {
  expect(await failing(new Error('aborted'), ['runs'], 'SIGTERM')).toEqual({ code: 143, out: '', err: '' });
});

test('the help explains each command, argument and flag, and has an example of each command', () => {
  const commands = leaves(createProgram(() => undefined));
  expect(commands.length).toBeGreaterThan(30);
  const unexplained = commands.flatMap((command) => [
    ...command.registeredArguments
      .filter(isUnexplained)
      .map((argument) => `${command.name()} ${argument.name()}`),
    ...command.options.filter(isUnexplained).map(({ flags }) => `${command.name()} ${flags}`),
    ...(/^\S+ /.test(command.description()) ? [] : [command.name()]),
  ]);
  expect(unexplained).toEqual([]);
  const withoutExample = commands.filter((command) => {
    const example = new RegExp(`\\n {2}(?:\\S* )?(?:collab|\\w+ mcp add collab --) .*${command.name()}`);
    return !example.test(helpOf(command));
  });
  expect(withoutExample.map((command) => command.name())).toEqual([]);
});

function isUnexplained({ description }: Argument | Option): boolean {
  return !/^\S+ /.test(description);
}

function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}
