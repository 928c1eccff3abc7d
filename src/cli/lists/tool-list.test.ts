/** The lists of tools and of providers; `^` stands for the beginning of a control sequence. */
import { expect, test } from 'vitest';
import { createPaint } from '../../text/paint.ts';
import { paintLine, plain, styled, type Line } from '../../text/spans.ts';
import { sessionIn } from '../command.test-helper.ts';
import type { ListedTool } from '../commands/tools-command.ts';
import type { ProviderLine } from '../setup/provider-list.ts';
import { printList } from './print-list.ts';
import { renderProviders } from './provider-rows.ts';
import { renderTools } from './tool-list.ts';

const printed = (lines: readonly Line[], color = false) =>
  lines.map((line) => paintLine(line, createPaint(color)).replaceAll('\u001b[', '^'));

const hostile = '\u001b\n';
const tool: ListedTool = {
  name: 'Read',
  aliases: [],
  description: 'Read a file',
  read_only: true,
  policy: { agent: 'allow', user: 'ask' },
  usage: '/read <path>',
  parameters: {},
};
const tools = [
  tool,
  {
    ...tool,
    name: `W${hostile}`,
    description: `d${hostile}`,
    usage: `/w${hostile}`,
    policy: { agent: 'deny', user: 'other' },
  },
];

test('each tool has its permissions, how to call it, and what it does', () => {
  expect(printed(renderTools(tools, Infinity), true)).toEqual([
    '^2mTool^22m  ^2mAgent^22m  ^2mYou^22m    ^2mCommand^22m',
    '^1mRead^22m  ^32mallow^39m  ^33mask^39m    ^36m/read <path>^39m',
    '                    Read a file',
    '^1mW␛^22m    ^31mdeny^39m   other  ^36m/w␛^39m',
    '                    d␛',
  ]);
  expect(printed(renderTools([tool], 26))).toEqual([
    'Read',
    '  agent: allow · you: ask',
    '  /read <path>',
    '  Read a file',
  ]);
});

const provider: ProviderLine = {
  name: 'codex',
  origin: 'built in',
  roles: ['advisor', 'lead'],
  auth_mode: 'login',
  ready: true,
  missing: null,
  models: ['gpt-5.5', 'gpt-5.5-mini'],
  faults: [],
  warnings: [],
};
const fault = { code: 'entry_missing', path: '/p/c\u001b', expected: 'index.ts', fix: 'Create it.' } as const;

test('each provider has its state, and what is missing', () => {
  const missing = {
    ...provider,
    name: 'b',
    auth_mode: null,
    ready: false,
    missing: 'Not there. Install it.',
    models: [],
  };
  const faulty: ProviderLine = { ...missing, name: 'c', missing: null, faults: [fault] };
  const lines = printed(renderProviders([provider, missing, faulty], Infinity), true);
  expect(lines.slice(0, 5)).toEqual([
    '^2mProvider^22m  ^2mState^22m    ^2mRoles^22m          ^2mLogin^22m  ^2mOrigin, models and remarks^22m',
    '^1mcodex^22m     ^32mready^39m    advisor, lead  login  ^2mbuilt in^22m',
    `${' '.repeat(41)}^2mmodels: ^22mgpt-5.5, gpt-5.5-mini`,
    '^1mb^22m         ^33mmissing^39m  advisor, lead  -      ^2mbuilt in^22m',
    `${' '.repeat(41)}Not there. Install it.`,
  ]);
  expect(lines[5]).toBe('^1mc^22m         ^31m^1mfaulty^22m^39m   advisor, lead  -      ^2mbuilt in^22m');
  expect(lines.slice(6).map((line) => line.trimStart())).toEqual([
    'entry_missing: /p/c␛',
    'expected: index.ts',
    'Create it.',
  ]);
  expect(printed(renderProviders([provider, missing], 30))).toEqual([
    'codex',
    '  ready · advisor, lead ·',
    '  login',
    '  built in',
    '  models: gpt-5.5,',
    '  gpt-5.5-mini',
    '',
    'b',
    '  missing · advisor, lead',
    '  built in',
    '  Not there. Install it.',
  ]);
});

const render = (width: number): readonly Line[] => [[plain(String(width))], [styled('b', 'bold')]];

const shown = (out: boolean, color: boolean) => {
  const screen = { columns: 33, interactive: { out, err: !out }, color: { out: color, err: !color } };
  const { session, printed: all } = sessionIn({ root: '/', env: {} }, { screen });
  printList(session, render);
  return all();
};

test('a list is as wide as the terminal, and not broken on a pipe', () => {
  expect(shown(true, true)).toEqual({ out: '33\n\u001b[1mb\u001b[22m\n', err: '' });
  expect(shown(false, false)).toEqual({ out: 'Infinity\nb\n', err: '' });
});
