/** The address of an API as a user sets it: what is refused, where requests go, what the first line says about it. */
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closeServer, listen } from '../../src/system/loopback.ts';
import { example } from '../packed/place.ts';
import { shared } from '../packed/shared-place.ts';

const place = shared(async (opened) => opened, ['openai']);

/** A gateway that knows no path. */
async function startGateway() {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
  });
  onTestFinished(() => closeServer(server));
  return { port: await listen(server), paths };
}

/** All that a review with this address prints, without its line breaks. */
async function reviewAt(provider: string, address: string, { inFile = false } = {}) {
  const name = provider.toUpperCase();
  place().write('own.yaml', inFile ? `providers: { ${provider}: { base_url: "${address}" } }\n` : '{}\n');
  const args = ['review', example('harmless.diff'), '--advisor', provider, '--config', 'own.yaml'];
  const env = { [`${name}_API_KEY`]: 'sk-any', ...(inFile ? {} : { [`${name}_API_BASE`]: address }) };
  const { code, stdout, stderr } = await place().collab(args, { env });
  return { code, said: `${stderr}${stdout}`.replaceAll(/\s+/g, ' ') };
}

test.each([
  ['ftp://gateway.example.org/v1', 'is not an address: ftp://gateway.example.org/v1'],
  ['gateway.example.org', 'is not an address: gateway.example.org'],
  ['https://me:hidden@gateway.example.org/v1', 'contains a user or a password'],
  ['https://gateway.example.org/v1?key=hidden', 'contains a query or a fragment'],
])('the address %s is refused before a request, and no secret in it is shown', async (address, why) => {
  for (const [inFile, at] of [
    [false, 'OPENAI_API_BASE'],
    [true, 'providers.openai.base_url'],
  ] as const) {
    const { code, said } = await reviewAt('openai', address, { inFile });
    expect([code, said]).toEqual([4, expect.stringContaining(`the advisor cannot run: ${at} ${why}`)]);
    expect(said).toContain('Write one such as https://gateway.example.org, or omit it.');
    expect(said).not.toContain('hidden');
  }
  const env = { OPENAI_API_KEY: 'sk-any', OPENAI_API_BASE: address };
  expect((await place().collab(['provider', 'list'], { env })).stdout).toContain(`OPENAI_API_BASE ${why}`);
});

describe('requests go below the address, which a path that the gateway does not know names', () => {
  test.each([
    ['openai', '', '/chat/completions'],
    ['openai', '/v1', '/v1/chat/completions'],
    ['openai', '/v1/', '/v1/chat/completions'],
    ['anthropic', '', '/v1/messages'],
    ['anthropic', '/v1', '/v1/v1/messages'],
    ['anthropic', '/gateway//', '/gateway/v1/messages'],
  ])('%s at %j', async (provider, end, path) => {
    const { port, paths } = await startGateway();
    const base = `http://127.0.0.1:${port}`;
    for (const [inFile, at] of [
      [false, `${provider.toUpperCase()}_API_BASE`],
      [true, `providers.${provider}.base_url`],
    ] as const) {
      const { code, said } = await reviewAt(provider, `${base}${end}`, { inFile });
      expect([code, said]).toEqual([
        4,
        expect.stringContaining(`Requests are sent to ${base}${path}, after ${at}.`),
      ]);
      expect(said).not.toContain('unencrypted');
    }
    expect(new Set(paths)).toEqual(new Set([path]));
  });
});

test('an address without encryption beyond this machine is used, and the first line says so', async () => {
  const { port, paths } = await startGateway();
  // An address of this machine that is not loopback by its name.
  const { said } = await reviewAt('anthropic', `http://0.0.0.0:${port}`);
  expect(said).toContain(`sent to 0.0.0.0:${port}; unencrypted (http); `);
  expect(paths).toEqual(['/v1/messages']);
});
