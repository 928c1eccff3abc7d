/** `collab show -i` and the lists, at a real terminal. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { test, type Place } from '../packed/place.ts';
import { openTerminal } from '../packed/terminal.ts';

const before = 'export function total(items) {\n  return items.length;\n}\n';
const after = `import { execSync } from 'node:child_process';

export function total(items, name) {
  execSync('echo ' + name);
  if (items == null) eval(name);
  return items.length;
}
`;

/** Three findings by rules, in a repository. */
async function reviewed(place: Place): Promise<void> {
  place.write('src/total.js', before);
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'one'],
  ])
    place.git(...args);
  place.write('src/total.js', after);
  await place.collab(['review', '--advisor', 'static_review']);
}

test('show -i walks through the findings, opens the editor at the line, copies, dismisses and leaves nothing', async ({
  place,
  expect,
}) => {
  await reviewed(place);
  place.write('../vim', `#!/bin/sh\necho "$@" >'${join(place.folder, '../opened')}'\n`);
  chmodSync(join(place.folder, '../vim'), 0o755);
  const env = { EDITOR: join(place.folder, '../vim'), TERM: 'xterm-256color' };
  const terminal = await openTerminal(place, ['show', '-i'], { columns: 80, rows: 24, env });
  await terminal.sees(/Finding 1 of 2\n\nsrc\/total\.js:4: critical: /);
  expect(terminal.written()).toContain(`\u001b]8;;file://`);
  expect(terminal.written()).toContain(`src/total.js#4\u001b\\src/total.js:4\u001b]8;;\u001b\\`);
  await terminal.types('p');
  await terminal.sees('this is the first finding');
  await terminal.types('n');
  await terminal.sees(/Finding 2 of 2\n\nsrc\/total\.js:5: critical: /);
  await terminal.types('n');
  await terminal.sees('this is the last finding');
  await terminal.types('c');
  await terminal.sees('copied as a prompt');
  // oxlint-disable-next-line no-control-regex
  const [, copied = ''] = /\u001b\]52;c;([\w+/=]+)\u0007/.exec(terminal.written()) ?? [];
  expect(Buffer.from(copied, 'base64').toString()).toContain('src/total.js:5');
  await terminal.types('o');
  await expect.poll(() => place.read('../opened')).toBe(`+5 ${join(place.folder, 'src/total.js')}\n`);
  await terminal.sees('Finding 2 of 2');
  await terminal.types('d');
  await terminal.sees('Why does F2 not count?');
  await terminal.types('the tests need it', 'Enter');
  await terminal.sees(/F2 is not dismissed: it is Critical/);
  await terminal.resize(40, 12);
  await terminal.sees(/Finding 2 of 2 *\n\nsrc\/total\.js:5: critical: Text is *\n {4}run as code/);
  await terminal.types('q');
  await terminal.sees('left with 0');
  expect(await terminal.screen()).not.toMatch(/Finding \d of/);
});

test('show -i ends with 130 on Ctrl-C, and without a terminal it says what to do', async ({
  place,
  expect,
}) => {
  await reviewed(place);
  const terminal = await openTerminal(place, ['show', '-i']);
  await terminal.sees('Finding 1 of 2');
  await terminal.types('C-c');
  await terminal.sees('left with 130');
  expect(await terminal.screen()).not.toContain('Finding 1 of 2');
  expect(await place.collab(['show', '-i'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'collab: show -i needs a terminal\n  collab show prints the findings\n',
  });
});

const words = (text: string) => new Set(stripVTControlCharacters(text).match(/[^\s│·]{2,}/g));

test('a terminal shows a report and the lists with the facts of a pipe, and breaks no line at 40 columns', async ({
  place,
  expect,
}) => {
  await reviewed(place);
  for (const [args, extra] of [
    [['show'], /^(?:No\.|Severity|Place|Finding|F\d|\.\.\.|exchanges:|\S*transcript\.md)$/],
    [['runs'], /^(?:ago|took|critical|minor|important|\d+)$/],
    [['tools'], /^(?:agent:|you:)$/],
  ] as const) {
    const piped = (await place.collab([...args])).stdout;
    const terminal = await openTerminal(place, args, { columns: 40, rows: 60, env: { NO_COLOR: '1' } });
    await terminal.sees('left with 0');
    const shown = terminal.written().split('left with')[0] ?? '';
    expect(stripVTControlCharacters(shown).replaceAll('\r', '').length).toBeGreaterThan(100);
    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/\u001b\[\d+m/);
    const [atPipe, atTerminal] = [words(piped), words(shown)];
    const more = [...atTerminal].filter((word) => !atPipe.has(word) && !extra.test(word));
    expect([args, more.filter((word) => !piped.replaceAll(/\s/g, '').includes(word))]).toEqual([args, []]);
  }
});
