import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blobThresholdBytes, hasBlob, readBlob, writeBlob } from './blobs.ts';
import { sha256 } from '../../text/digest.ts';
import { loadJson, storeValue } from './step-value.ts';
import { blobsOf } from '../store/embedded-store.ts';

let runFolder = '';
beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'collab-blobs-'));
});
afterEach(() => rmSync(runFolder, { recursive: true, force: true }));

test('a blob is named by its digest, private, and written once', () => {
  const names = [writeBlob(runFolder, 'text'), writeBlob(runFolder, 'text')];
  expect(names).toEqual([sha256('text'), sha256('text')]);
  const folder = join(runFolder, 'blobs');
  const file = `${sha256('text')}.gz`;
  expect(readdirSync(folder)).toEqual([file]);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readBlob(runFolder, sha256('text'))).toBe('text');
});

test('a text of many equal words is stored in less than a tenth of its bytes', () => {
  const text = 'the same words\n'.repeat(5000);
  const name = writeBlob(runFolder, text);
  expect(statSync(join(runFolder, 'blobs', `${name}.gz`)).size).toBeLessThan(text.length / 10);
  expect([hasBlob(runFolder, name), readBlob(runFolder, name)]).toEqual([true, text]);
});

test('a blob of a version that did not pack them is read', () => {
  const name = sha256('text');
  expect(hasBlob(runFolder, name)).toBe(false);
  mkdirSync(join(runFolder, 'blobs'));
  writeFileSync(join(runFolder, 'blobs', name), 'text');
  expect([hasBlob(runFolder, name), readBlob(runFolder, name)]).toEqual([true, 'text']);
});

test('a missing or changed blob is reported as journal_corrupt with its file', () => {
  const name = writeBlob(runFolder, 'text');
  const file = join(runFolder, 'blobs', `${name}.gz`);
  writeFileSync(file, gzipSync('other'));
  expect(() => readBlob(runFolder, name)).toThrow(`A stored value does not match its name: ${file}`);
  writeFileSync(file, gzipSync('text').subarray(0, 10));
  expect(() => readBlob(runFolder, name)).toThrow(`A stored value cannot be unpacked: ${file}`);
  rmSync(file);
  expect(() => readBlob(runFolder, name)).toThrow(`A stored value is missing: ${file}`);
});

test('a value is stored in the line up to 16 KiB of JSON, and in a blob above that', async () => {
  const blobs = blobsOf(runFolder);
  const fits = 'x'.repeat(blobThresholdBytes - 2);
  expect(storeValue(blobs, fits).stored).toEqual({ value: fits });
  const above = 'x'.repeat(blobThresholdBytes - 1);
  const { stored } = storeValue(blobs, above);
  expect(stored).toEqual({ value_ref: sha256(JSON.stringify(above)) });
  expect(JSON.parse(await loadJson(blobs, stored))).toBe(above);
});

test('undefined is stored as null', () => {
  expect(storeValue(blobsOf(runFolder), undefined)).toEqual({ stored: { value: null }, json: 'null' });
});
