import { expect, test } from 'vitest';
import { findCommand } from './find-command.ts';
import { readSlashLine } from './slash-line.ts';

const commands = [
  { name: 'fs.read', aliases: ['cat'] },
  { name: 'db.read' },
  { name: 'fs.write' },
  { name: 'read', aliases: ['write'] },
  { name: 'a.find' },
  { name: 'b.find' },
];

test.each([
  ['fs.read', 'fs.read'],
  ['read', 'read'],
  ['cat', 'fs.read'],
  ['write', 'read'],
])('X004-1.1-3 /%s is %s: the full name wins over an alias, an alias over the last part', (name, found) => {
  expect(findCommand(name, commands)).toMatchObject({ ok: true, command: { name: found } });
});

test('X004-1.3 the last part of a name is enough where one tool alone has it', () => {
  expect(findCommand('read', commands.slice(0, 1))).toMatchObject({ ok: true, command: { name: 'fs.read' } });
});

test('X004-1.4 what can mean several runs none and lists them', () => {
  expect(findCommand('find', commands)).toEqual({
    ok: false,
    why: '/find can mean /a.find, /b.find. Write the one that you mean.',
  });
});

test.each([
  ['raed', 'There is no command /raed. Did you mean /read?'],
  ['fs.wriet', 'There is no command /fs.wriet. Did you mean /fs.write?'],
  [
    'usr/bin/env',
    'There is no command /usr/bin/env. To send a text that starts with a slash, write two: //usr/bin/env',
  ],
  ['', 'There is no command /. To send a text that starts'],
])('X004-3.7 /%s is no command, and what was meant is suggested', (name, why) => {
  const found = findCommand(name, commands);
  expect(found.ok ? '' : found.why).toContain(why);
});

test.each([
  ['/read a.txt', { kind: 'command', name: 'read', rest: 'a.txt' }],
  ['/fs.read  "a b"\n--limit 3 ', { kind: 'command', name: 'fs.read', rest: '"a b"\n--limit 3' }],
  ['/help', { kind: 'command', name: 'help', rest: '' }],
  ['/', { kind: 'command', name: '', rest: '' }],
  ['//etc is a folder', { kind: 'text', text: '/etc is a folder' }],
  ['///', { kind: 'text', text: '//' }],
  ['a /read b', { kind: 'text', text: 'a /read b' }],
  ['', { kind: 'text', text: '' }],
] as const)('X004-3.6 %j is read as %j', (typed, line) => {
  expect(readSlashLine(typed)).toEqual(line);
});
