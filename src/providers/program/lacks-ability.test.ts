import { expect, test } from 'vitest';
import { installAdvice, lacksAbility, missingAbility } from './lacks-ability.ts';

test.each([
  ["error: unknown option '--restricted'", '--restricted'],
  ["error: unexpected argument '--strict-config' found", '--strict-config'],
  ['Error: Unknown feature flag: shell_snapshot', '--disable shell_snapshot'],
  [
    "error: option '--permission-mode <mode>' argument 'dontAsk' is invalid. Allowed choices are plan.",
    '--permission-mode dontAsk',
  ],
  ['Error: unknown configuration field `skills.bundled` in -c/--config override', '-c skills.bundled'],
  [
    'Error: unknown variant `disabled`, expected one of `live`\nin `web_search`\n',
    '-c web_search="disabled"',
  ],
  ['Error: not logged in', null],
  ['', null],
])('of %j the missing ability is %j', (said, ability) => {
  expect(missingAbility(said)).toBe(ability);
});

const wanted = { name: '@vendor/agent', node: 22 };

test('the advice names a tag if npm would install an older version, and says why', () => {
  expect(installAdvice(wanted, '22.1.0')).toEqual({
    command: 'npm install --global @vendor/agent',
    remark: null,
  });
  expect(installAdvice(wanted, '20.20.2')).toEqual({
    command: 'npm install --global @vendor/agent@latest',
    remark:
      'Its package requires Node 22, so npm on Node 20.20.2 installs an old one unless a version or tag is named; the program runs here.',
  });
});

test('a program that lacks an ability is reported with its path, the ability and a command', () => {
  const old = { agent: 'Agent', program: '/usr/bin/agent', ability: '--restricted' };
  expect(lacksAbility({ ...old, install: installAdvice(wanted, '24.0.0') })).toMatchObject({
    code: 'cli_missing',
    message: 'The Agent at /usr/bin/agent is too old: it does not support --restricted.',
    hint: 'Update it: npm install --global @vendor/agent',
  });
});
