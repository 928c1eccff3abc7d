import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { collectorAddress, sendTrace, shownAddress } from './send-trace.ts';

const never = new AbortController().signal;

/** A collector that answers so; resolves with its address and the bodies that it gets. */
async function collector(status: number, answer: string, headers: Readonly<Record<string, string>> = {}) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      bodies.push(`${request.method} ${request.headers['content-type']} ${body}`);
      response.writeHead(status, headers).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    bodies,
    origin: `http://127.0.0.1:${port}`,
    address: collectorAddress(`http://127.0.0.1:${port}/v1/traces?key=k`),
  };
}

test.each([
  '',
  '{}',
  '{"partialSuccess":{}}',
  '{"partialSuccess":{"rejectedSpans":"0"}}',
  '{"partialSuccess":{"rejectedSpans":0,"errorMessage":"slow"}}',
  'no JSON',
])('the spans are sent once to a collector that answers %j', async (answer) => {
  const { address, bodies } = await collector(200, answer);
  await sendTrace(address, { spans: 1 }, never);
  expect(bodies).toEqual(['POST application/json {"spans":1}']);
});

const usualHint =
  'check that the address accepts OTLP/HTTP JSON; a collector listens at http://127.0.0.1:4318/v1/traces';

test.each([
  [500, 'no room\nhere', 'answered 500: no room here', usualHint],
  [404, '', 'answered 404', usualHint],
  [300, ' \n ', 'answered 300', usualHint],
  [500, 'x'.repeat(300), `answered 500: ${'x'.repeat(199)}…`, usualHint],
  [307, '', 'answered 307', usualHint],
  [200, '{"partialSuccess":{"rejectedSpans":2,"errorMessage":"too old"}}', 'rejected 2 spans: too old', null],
  [200, '{"partialSuccess":{"rejectedSpans":"3"}}', 'rejected 3 spans', null],
])('a collector that answers %d %j is a fault, without its key', async (status, answer, what, hint) => {
  const { address, origin, bodies } = await collector(status, answer, { location: 'http://127.0.0.1:9/' });
  expect(await refusalOf(sendTrace(address, {}, never))).toEqual({
    code: 'network',
    message: `The collector at ${origin}/v1/traces ${what}`,
    hint,
  });
  expect(bodies).toHaveLength(1);
});

test('a collector that does not listen is named; an interrupt is no fault of it', async () => {
  const { address } = await collector(200, '');
  const nowhere = collectorAddress('http://127.0.0.1:9/v1/traces');
  expect(await refusalOf(sendTrace(nowhere, {}, never))).toEqual({
    code: 'network',
    message: 'The collector at http://127.0.0.1:9/v1/traces cannot be reached',
    hint: 'check the address, and that a collector listens there',
  });
  await expect(sendTrace(address, {}, AbortSignal.abort(new Error('SIGINT')))).rejects.toThrow('SIGINT');
});

test('an address is shown without its query', () => {
  expect(shownAddress(collectorAddress('https://a.example:4318/v1/traces?key=k'))).toBe(
    'https://a.example:4318/v1/traces',
  );
});

const hint = 'for example --otlp http://127.0.0.1:4318/v1/traces';

test.each([
  ['a.example', '--otlp wants an address with http:// or https://, not a.example'],
  ['ftp://a.example', '--otlp wants an address with http:// or https://, not ftp://a.example'],
  ['http://user@a.example', '--otlp takes no user and no password in the address'],
  ['http://:word@a.example', '--otlp takes no user and no password in the address'],
])('%s is no address of a collector', async (text, message) => {
  const asked = (async () => collectorAddress(text))();
  expect(await refusalOf(asked)).toEqual({ code: 'usage', message, hint });
});
