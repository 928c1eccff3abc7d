import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { editorCommand, openEditor } from './open-editor.ts';

const place = { file: '/p/a b.ts', line: 41 };

test.each([
  ['vim', ['+41', '/p/a b.ts']],
  ['/usr/bin/nano -w', ['-w', '+41', '/p/a b.ts']],
  ['code --wait', ['--wait', '--goto', '/p/a b.ts:41']],
  ['hx', ['/p/a b.ts:41']],
  ['vim.exe', ['+41', '/p/a b.ts']],
  ['code.CMD', ['--goto', '/p/a b.ts:41']],
  ['vim.exe.old', ['/p/a b.ts']],
  ['my-editor', ['/p/a b.ts']],
])('%s gets the line as it takes it', (named, args) => {
  expect(editorCommand(named, place)).toEqual({ file: named.split(' ')[0], args });
});

test('spaces around and between the words of an editor have no meaning', () => {
  expect(editorCommand('  vim   -u\tNONE ', place)).toEqual({
    file: 'vim',
    args: ['-u', 'NONE', '+41', '/p/a b.ts'],
  });
});

test('without a line every editor gets the file alone', () => {
  expect(editorCommand('vim', { ...place, line: null }).args).toEqual(['/p/a b.ts']);
  expect(editorCommand('code', { ...place, line: null }).args).toEqual(['/p/a b.ts']);
});

test.skipIf(process.platform === 'win32')(
  'an editor is not found in the folder of the project, and a missing one is a sentence',
  async () => {
    const cwd = scratchFolder();
    const bin = scratchFolder();
    mkdirSync(bin, { recursive: true });
    for (const [folder, word] of [
      [cwd, 'wrong'],
      [bin, 'right'],
    ] as const) {
      writeFileSync(join(folder, 'ed1t'), `#!/bin/sh\necho ${word} "$@" >>'${join(bin, 'said')}'\n`);
      chmodSync(join(folder, 'ed1t'), 0o755);
    }
    const env = { PATH: `${cwd}:.:${bin}:/usr/bin:/bin`, EDITOR: 'ed1t -x' };
    expect(await openEditor({ env, cwd }, place)).toBeNull();
    expect(readFileSync(join(bin, 'said'), 'utf8')).toBe('right -x /p/a b.ts\n');
    expect(await openEditor({ env: { ...env, VISUAL: 'no-such-editor' }, cwd }, place)).toMatch(
      /^the editor cannot be started: /,
    );
    const none = 'no editor: set VISUAL or EDITOR, such as EDITOR=vim';
    expect(await openEditor({ env: {}, cwd }, place)).toBe(none);
    expect(await openEditor({ env: { VISUAL: ' ', EDITOR: '' }, cwd }, place)).toBe(none);
    for (const [name, does] of [
      ['fails', 'exit 3'],
      ['killed', 'kill -9 $$'],
    ] as const) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${does}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const visual = (VISUAL: string) => openEditor({ env: { ...env, VISUAL }, cwd }, place);
    expect(await visual('fails')).toBe('fails ended with 3');
    expect(await visual('killed')).toBe('killed ended with a signal');
    expect(await visual(' ')).toBeNull();
    expect(readFileSync(join(bin, 'said'), 'utf8')).toBe('right -x /p/a b.ts\n'.repeat(2));
  },
);
