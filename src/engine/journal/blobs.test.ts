import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blobThresholdBytes, readBlob, writeBlob } from './blobs.ts';
import { sha256 } from '../../text/digest.ts';
import { loadJson, storeValue } from './step-value.ts';

let runFolder = '';
beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'collab-blobs-'));
});
afterEach(() => rmSync(runFolder, { recursive: true, force: true }));

test('a blob is named by its digest, private, and written once', () => {
  const names = [writeBlob(runFolder, 'text'), writeBlob(runFolder, 'text')];
  expect(names).toEqual([sha256('text'), sha256('text')]);
  const folder = join(runFolder, 'blobs');
  expect(readdirSync(folder)).toEqual([sha256('text')]);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, sha256('text'))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect(readBlob(runFolder, sha256('text'))).toBe('text');
});

test('a missing or changed blob is reported as journal_corrupt with its file', () => {
  const name = writeBlob(runFolder, 'text');
  const file = join(runFolder, 'blobs', name);
  writeFileSync(file, 'other');
  expect(() => readBlob(runFolder, name)).toThrow(`A stored value does not match its name: ${file}`);
  rmSync(file);
  expect(() => readBlob(runFolder, name)).toThrow(`A stored value is missing: ${file}`);
});

test('a value is stored in the line up to 16 KiB of JSON, and in a blob above that', () => {
  const fits = 'x'.repeat(blobThresholdBytes - 2);
  expect(storeValue(runFolder, fits)).toEqual({ value: fits });
  const above = 'x'.repeat(blobThresholdBytes - 1);
  const stored = storeValue(runFolder, above);
  expect(stored).toEqual({ value_ref: sha256(JSON.stringify(above)) });
  expect(JSON.parse(loadJson(runFolder, stored))).toBe(above);
});

test('undefined is stored as null', () => {
  expect(storeValue(runFolder, undefined)).toEqual({ value: null });
});
