/** The repository contains only what its authors wrote. These checks find the usual signs of copied material. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scenes } from '../scripts/images/scenes.mjs';

const repository = resolve(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(repository, path)));

/** Pictures of our own program and page, and the one license. */
const pictures = scenes.map(({ image }) => `references/images/${image}`);
const license = 'LICENSE';

/** Written in parts, so that this file does not have the signs itself. */
const notices = [
  ['copy', 'right'],
  ['SPDX', '-License-Identifier'],
  ['all rights', ' reserved'],
  ['licensed', ' under'],
  ['permission is', ' hereby granted'],
].map((parts) => parts.join(''));

test('no file is an archive or another binary, except the pictures of the page', () => {
  expect(tracked.length).toBeGreaterThan(1000);
  const binaries = tracked.filter((path) => !pictures.includes(path) && isBinary(path, read(path)));
  expect(binaries).toEqual([]);
});

test('no file has a license notice, except the license', () => {
  const noticed = tracked.filter((path) => path !== license && hasNotice(read(path)));
  expect(noticed).toEqual([]);
  expect(hasNotice(read(license))).toBe(true);
});

test('no fixture contains an identifier that a program generated', () => {
  const recorded = tracked.filter(
    (path) => path.startsWith('test/fixtures/') && hasDrawnIdentifier(read(path)),
  );
  expect(recorded).toEqual([]);
});

test('no fixture has a line that is too long to be written by hand', () => {
  const long = tracked.filter((path) => path.startsWith('test/fixtures/') && longestLine(read(path)) > 3000);
  expect(long).toEqual([]);
});

test('the checks see an archive, a notice, a generated identifier and an encoded blob', () => {
  expect(isBinary('commits.json.gz', Buffer.from('text'))).toBe(true);
  expect(isBinary('data.json', Buffer.of(0x7b, 0, 0x7d))).toBe(true);
  expect(notices.every((notice) => hasNotice(Buffer.from(`/* ${notice} */`)))).toBe(true);
  expect(hasDrawnIdentifier(Buffer.from('{"id":"2d042725-e932-4d4a-9e81-8fd177f3fc62"}'))).toBe(true);
  expect(hasDrawnIdentifier(Buffer.from('{"id":"00000000-0000-4000-8000-000000000001"}'))).toBe(false);
  expect(longestLine(Buffer.from(`a\n${'x'.repeat(4000)}\nb`))).toBe(4000);
});

test('every package of a lock has its digest, except those that its registry did not serve', () => {
  const locks = tracked.filter((path) => path.endsWith('package-lock.json'));
  const packages = locks.flatMap((lock) =>
    Object.entries(lockSchema.parse(JSON.parse(read(lock).toString())).packages),
  );
  expect(packages.length).toBeGreaterThan(1000);
  const bare = packages.filter(([path, entry]) => path !== '' && entry.integrity === undefined);
  // npm writes no digest for an optional package of another platform that it did not download. This number may only
  // fall.
  expect(bare.length).toBeLessThanOrEqual(74);
  const needed = bare.filter(([, { optional, os, cpu }]) => optional !== true || (os ?? cpu) === undefined);
  expect(needed.map(([path]) => path)).toEqual([]);
});

/** A package may name one platform or several. */
const platforms = z.union([z.string(), z.array(z.string())]);
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().startsWith('sha512-').optional(),
      optional: z.boolean().optional(),
      os: platforms.optional(),
      cpu: platforms.optional(),
    }),
  ),
});

function read(path: string): Buffer {
  return readFileSync(join(repository, path));
}

function isBinary(path: string, bytes: Buffer): boolean {
  return ['.gz', '.tgz', '.zip', '.br', '.zst', '.xz'].includes(extname(path)) || bytes.includes(0);
}

function hasNotice(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').toLowerCase();
  return notices.some((notice) => text.includes(notice.toLowerCase()));
}

/** A UUID as programs draw them: of version 4 or 7, not counted up from zero. */
function hasDrawnIdentifier(bytes: Buffer): boolean {
  return /\b(?!0{8})[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/.test(
    bytes.toString('latin1'),
  );
}

function longestLine(bytes: Buffer): number {
  return Math.max(
    ...bytes
      .toString('latin1')
      .split('\n', 1_000_000)
      .map((line) => line.length),
  );
}
