import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createRpc, type Rpc, type ThreadMessage } from './rpc.ts';

const schema = z.looseObject({ value: z.number() });

function connected(): { readonly rpc: Rpc; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  return { rpc: createRpc((line) => sent.push(JSON.parse(line))), sent };
}

test('answers find their calls, in any order', async () => {
  const { rpc, sent } = connected();
  const calls = [rpc.call('one', { a: 1 }, schema), rpc.call('two', {}, schema)];
  expect(sent).toEqual([
    { id: 1, method: 'one', params: { a: 1 } },
    { id: 2, method: 'two', params: {} },
  ]);
  rpc.receive('{"id":2,"result":{"value":22}}');
  rpc.receive('{"id":1,"result":{"value":11}}');
  expect(await Promise.all(calls)).toEqual([
    { ok: true, value: { value: 11 } },
    { ok: true, value: { value: 22 } },
  ]);
});

test('a refusal, an unknown form and a closed server are distinguished', async () => {
  const { rpc } = connected();
  const calls = [rpc.call('one', {}, schema), rpc.call('two', {}, schema), rpc.call('three', {}, schema)];
  rpc.receive('{"id":1,"error":{"code":-32600,"message":"no","data":{"why":"x"}}}');
  rpc.receive('{"id":2,"result":{"value":"text"}}');
  rpc.close();
  expect(await Promise.all([...calls, rpc.call('late', {}, schema)])).toEqual([
    { ok: false, why: 'refused', message: 'no', data: { why: 'x' } },
    {
      ok: false,
      why: 'shape',
      message: expect.stringContaining('Codex answered two in an unknown form'),
      data: null,
    },
    { ok: false, why: 'closed', message: 'Codex ended', data: null },
    { ok: false, why: 'closed', message: 'Codex ended', data: null },
  ]);
});

test('each conversation gets its own messages until it stops listening', () => {
  const { rpc, sent } = connected();
  const heard: ThreadMessage[] = [];
  const stop = rpc.subscribe('a', (message) => heard.push(message));
  const lines = [
    '{"method":"turn/started","params":{"threadId":"a"}}',
    '{"method":"turn/started","params":{"threadId":"b"}}',
    '{"id":"q","method":"item/x/requestApproval","params":{"threadId":"a"}}',
    '{"method":"warning","params":{}}',
  ];
  for (const line of lines) rpc.receive(line);
  stop();
  rpc.receive(lines[0] ?? '');
  expect(heard).toEqual([
    { kind: 'notification', method: 'turn/started', params: { threadId: 'a' }, line: lines[0] },
    { kind: 'request', id: 'q', method: 'item/x/requestApproval', params: { threadId: 'a' }, line: lines[2] },
  ]);
  expect(sent).toEqual([]);
});

test('a request without a listener is refused, not left open', () => {
  const { rpc, sent } = connected();
  rpc.receive('{"id":7,"method":"attestation/generate","params":{}}');
  expect(sent).toEqual([{ id: 7, error: { code: -32_601, message: 'not offered by this client' } }]);
});

test('no line throws, however odd', () => {
  const { rpc } = connected();
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(() => rpc.receive(line)).not.toThrow();
    }),
  );
});
