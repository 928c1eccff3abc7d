import { expect, test } from 'vitest';
import { toolOf } from '../../tools/tool.test-helper.ts';
import type { HandedTools } from '../contract/contract.ts';
import { createToolServer } from './tool-server.ts';

test('the tools are listed as by an MCP server, dotted names encoded for the API', async () => {
  const { hear, written } = served();
  expect(hear('{"type":"assistant"}')).toBe(false);
  expect(hear('no JSON "control_request"')).toBe(false);
  expect(hear(request({ method: 'initialize', id: 0, params: { protocolVersion: '2030-01-01' } }))).toBe(
    true,
  );
  hear(request({ method: 'notifications/initialized' }));
  hear(request({ method: 'tools/list', id: 1 }));
  expect(results(written)).toMatchObject([
    { id: 0, result: { protocolVersion: '2030-01-01', capabilities: { tools: {} } } },
    { id: 0, result: {} },
    {
      id: 1,
      result: {
        tools: [
          { name: 'fs--read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
          { name: 'Write', annotations: { readOnlyHint: false } },
        ],
      },
    },
  ]);
});

test('a call runs under its own id and name, and its outcome is the answer', async () => {
  const calls: unknown[] = [];
  const { hear, settled, written } = served(async (call) => {
    calls.push(call);
    return { content: 'no such file', isError: true };
  });
  hear(request(callOf('fs--read', { path: 'a' })));
  await settled();
  hear(request({ method: 'tools/call', id: 3, params: {} }));
  expect(calls).toEqual([{ id: 'toolu_1', name: 'fs.read', args: { path: 'a' } }]);
  expect(results(written)).toEqual([
    { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'no such file' }], isError: true } },
    {
      jsonrpc: '2.0',
      id: 3,
      result: { content: [{ type: 'text', text: 'The call cannot be read.' }], isError: true },
    },
  ]);
});

test('an unknown request is refused, so that the client does not wait for an answer', () => {
  const { hear, written } = served();
  hear(JSON.stringify({ type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool' } }));
  expect(written.map((line): unknown => JSON.parse(line))).toEqual([
    {
      type: 'control_response',
      response: { subtype: 'error', request_id: 'r', error: 'can_use_tool is not answered here' },
    },
  ]);
});

const fails = async () => {
  throw new Error('ours');
};

test('an error of ours is reported at the end of the turn, an abort is not', async () => {
  const faulty = served(fails);
  faulty.hear(request(callOf('Write', {})));
  await expect(faulty.settled()).rejects.toThrow('ours');
  const stop = new AbortController();
  const aborted = served(fails, stop.signal);
  stop.abort();
  aborted.hear(request(callOf('Write', {})));
  await aborted.settled();
});

const callOf = (name: string, args: object) => ({
  method: 'tools/call',
  id: 2,
  params: { name, arguments: args, _meta: { 'claudecode/toolUseId': 'toolu_1' } },
});

function request(message: object): string {
  return JSON.stringify({
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'mcp_message', server_name: 'collab', message },
  });
}

function served(
  call: HandedTools['call'] = async () => ({ content: '', isError: false }),
  signal = new AbortController().signal,
) {
  const written: string[] = [];
  const server = createToolServer({
    tools: { offered: [toolOf('fs.read'), toolOf('Write', { readOnly: false })], call },
    write: (line) => written.push(line),
    signal,
    during: (work) => work(),
  });
  return { hear: (line: string) => server.hear(line), settled: async () => server.settled(), written };
}

function results(written: readonly string[]): readonly unknown[] {
  return written.map((line) => JSON.parse(line).response.response.mcp_response);
}
