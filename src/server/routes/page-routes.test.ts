import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { pageRoutes } from './page-routes.ts';

function builtPage(): string {
  const folder = join(scratchFolder(), 'web');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets/index-abc.js'), 'export {};');
  writeFileSync(join(folder, '../secret.txt'), 'nobody reads this');
  return folder;
}

test('the page may load only its own files, and cannot be embedded in a frame', async () => {
  const response = await pageRoutes({ folder: builtPage() }).request('/');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});

test('an asset, whose name depends on its content, is cached forever', async () => {
  const response = await pageRoutes({ folder: builtPage() }).request('/assets/index-abc.js');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cache-control')).toContain('immutable');
  expect(await response.text()).toBe('export {};');
});

test('a browser gets the compressed form that it takes, the smallest first, and every answer says that it varies', async () => {
  const folder = builtPage();
  const file = join(folder, 'assets/index-abc.js');
  for (const ending of ['br', 'gz']) writeFileSync(`${file}.${ending}`, ending);
  const routes = pageRoutes({ folder });
  const get = async (coding?: string) => {
    const headers = coding === undefined ? {} : { 'accept-encoding': coding };
    const response = await routes.request('/assets/index-abc.js', { headers });
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    return [response.headers.get('content-encoding'), await response.text()];
  };
  const whole = [null, 'export {};'];
  expect(await get('gzip, deflate, br, zstd')).toEqual(['br', 'br']);
  expect(await get('gzip, deflate')).toEqual(['gzip', 'gz']);
  expect(await get('br;q=0, gzip;q=0.1')).toEqual(['gzip', 'gz']);
  expect(await get('br;q=0, gzip;q=0')).toEqual(whole);
  expect(await get('deflate')).toEqual(whole);
  expect(await get()).toEqual(whole);
  expect((await routes.request('/assets/index-abc.js.br')).status).toBe(404);
});

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/',
])('nothing outside of the page is served: %s', async (path) => {
  const response = await pageRoutes({ folder: builtPage() }).request(path);
  expect(response.status).toBe(404);
});

test('a page that was not built says what to do', async () => {
  const response = await pageRoutes({ folder: join(scratchFolder(), 'web') }).request('/');
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run build');
});
