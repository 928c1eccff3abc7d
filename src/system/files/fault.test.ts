import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileFaultOf } from './fault.ts';
import { writeNew } from './write.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'collab-fault-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a folder that was removed while collab wrote is an error about the file', () => {
  const path = join(folder, 'gone/file');
  expect(faultIn(() => writeNew(path, ''))).toMatchObject({
    code: 'file',
    message: `${join(folder, 'gone')} cannot be opened: it, or a folder above it, is missing`,
    details: { file: join(folder, 'gone'), system_code: 'ENOENT' },
    hint: expect.stringContaining('Another process may have moved it'),
  });
});

test.skipIf(process.platform === 'win32')('so is a folder that was replaced by a file or by links', () => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('loop', join(folder, 'loop'));
  expect(faultIn(() => readdirSync(join(folder, 'file/below')))?.message).toBe(
    `${join(folder, 'file/below')} cannot be read: a part of its path is not a folder`,
  );
  expect(faultIn(() => mkdirSync(join(folder, 'loop/below')))?.message).toBe(
    `${join(folder, 'loop/below')} cannot be written: a part of its path is a link`,
  );
});

test('a missing program, and an error without a path, are not file faults', async () => {
  const [missing] = await once(spawn(join(folder, 'none')), 'error');
  expect(fileFaultOf(missing)).toBe(null);
  expect(fileFaultOf(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'uv_cwd' }))).toBe(null);
  expect(faultIn(() => readFileSync(folder))).toBe(null);
});

function faultIn(action: () => unknown) {
  try {
    action();
  } catch (error) {
    return fileFaultOf(error);
  }
  throw new Error('it did not fail');
}
