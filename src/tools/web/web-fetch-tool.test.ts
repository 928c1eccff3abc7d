import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { closeServer, listen } from '../../system/loopback.ts';
import type { FetchRules } from './fetch-text.ts';
import { isPublicAddress } from './public-address.ts';
import { createWebFetchTool } from './web-fetch-tool.ts';

const open: FetchRules = { hosts: null, privateAddresses: true };

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  const port = await listen(server);
  onTestFinished(() => closeServer(server));
  return `http://127.0.0.1:${port}`;
}

function fetch(url: string, rules: Partial<FetchRules> = {}, signal = new AbortController().signal) {
  return createWebFetchTool({ ...open, ...rules }).run({ url }, { signal });
}

const plain = { 'content-type': 'text/plain' };

test('fetches a text in its encoding, and sends nothing of ours', async () => {
  const asked: IncomingMessage['headers'][] = [];
  const url = await serve((request, response) => {
    asked.push(request.headers);
    response
      .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
      .end(Buffer.from([0xe4, 0x0a]));
  });
  expect(await fetch(`${url}/a`)).toEqual({
    content: `${url}/a: 200, text/html; charset=iso-8859-1\n\nä`,
    isError: false,
    data: { url: `${url}/a`, status: 200, type: 'text/html; charset=iso-8859-1', cut: false },
  });
  expect(Object.keys(asked[0] ?? {}).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
});

test.each([
  ['file:///etc/passwd', 'file: is not fetched'],
  ['ftp://example.org/', 'ftp: is not fetched'],
  ['nothing', 'nothing is not an address.'],
  ['http://user:word@example.org/', 'with a user or a password'],
  ['http://127.0.0.1/', '127.0.0.1 is an address of this machine'],
  ['http://2130706433/', '127.0.0.1 is an address of this machine'],
  ['http://0x7f.1/', '127.0.0.1 is an address of this machine'],
  ['http://[::1]:1/', '[::1]:1 is an address of this machine'],
  ['http://[::ffff:10.0.0.1]/', 'is an address of this machine'],
  ['http://169.254.169.254/latest/meta-data', 'is an address of this machine'],
  ['http://localhost:1/', 'localhost is an address of this machine'],
])('refuses %s', async (url, why) => {
  const { content, isError } = await fetch(url, { privateAddresses: false });
  expect([content, isError]).toEqual([expect.stringContaining(why), true]);
});

test('a redirect is checked like the address itself, and five are allowed', async () => {
  const url = await serve((request, response) => {
    const to = new URL(`http://x${request.url}`).searchParams.get('to');
    if (to === null) response.writeHead(200, plain).end('there');
    else response.writeHead(302, { location: to }).end();
  });
  expect(await fetch(`${url}/?to=/a`)).toMatchObject({
    content: expect.stringMatching(/\/a: 200[^]*there$/),
  });
  const other = { hosts: ['127.0.0.1'] };
  expect(await fetch(`${url}/?to=http://localhost:1/`, other)).toMatchObject({
    content: expect.stringContaining(
      'localhost:1 is not among the hosts that the configuration allows: 127.0.0.1.',
    ),
  });
  expect(await fetch(`${url}/?to=file:///etc/passwd`)).toMatchObject({ isError: true });
  const round = await serve((_request, response) => void response.writeHead(302, { location: '/' }).end());
  expect(await fetch(round)).toMatchObject({ content: expect.stringContaining('more than 5 times') });
});

test('only allowed hosts are contacted', async () => {
  const url = await serve((_request, response) => void response.writeHead(200, plain).end('there'));
  expect(await fetch(url, { hosts: ['*.example.org', '127.0.0.1'] })).toMatchObject({ isError: false });
  for (const hosts of [['*.0.0.1x'], ['example.org'], []]) {
    expect(await fetch(url, { hosts })).toMatchObject({ isError: true });
  }
});

test('other content, failures and endless answers are reported', async () => {
  const url = await serve((request, response) => {
    switch (request.url) {
      case '/image':
        return void response.writeHead(200, { 'content-type': 'image/png' }).end('x');
      case '/packed':
        return void response.writeHead(200, { ...plain, 'content-encoding': 'gzip' }).end('x');
      case '/missing':
        return void response.writeHead(404, plain).end('no such page');
      case '/reset':
        return void response.destroy();
      default:
        return void response.writeHead(200, plain).end('0123456789\n'.repeat(200_000));
    }
  });
  const said = async (path: string) => fetch(`${url}${path}`);
  expect(await said('/image')).toMatchObject({
    content: `${url}/image is not text (image/png).`,
    isError: true,
  });
  expect(await said('/packed')).toMatchObject({ content: `${url}/packed is not text (text/plain, gzip).` });
  expect(await said('/missing')).toMatchObject({
    content: expect.stringContaining('no such page'),
    isError: true,
  });
  expect(await said('/reset')).toMatchObject({
    content: expect.stringContaining('cannot be fetched'),
    isError: true,
  });
  const { content, data } = await said('/long');
  expect(data).toMatchObject({ cut: true });
  expect(Buffer.byteLength(content)).toBeLessThan(67_000);
});

test('an abort ends the request and is passed on', async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort(new Error('stop')));
  await expect(fetch(url, {}, controller.signal)).rejects.toThrow('stop');
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a00:1', false],
  ['fc00::1', false],
  ['fe80::1', false],
  ['2001:db8::1', false],
  ['2002:a00:1::', false],
  ['example.org', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
