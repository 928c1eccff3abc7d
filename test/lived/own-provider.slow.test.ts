/** A provider of a user's own, used by the installed command and as a library: tool sets that its API keeps, segments of other providers. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { closeServer, listen, readRequestText } from '../../src/system/loopback.ts';
import { example, test, type Place } from '../packed/place.ts';
import { recordsIn } from '../packed/records-in.ts';

const execute = promisify(execFile);

const requestSchema = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  tools_id: z.string().optional(),
  messages: z.array(z.looseObject({ role: z.string(), parts: z.array(z.looseObject({})) })).default([]),
});

/** Keeps tool sets, and answers each message but the results of a call with a call of `Read`, if it has tools. */
async function startUpstream() {
  const uploads: { readonly path: string; readonly names: readonly string[] }[] = [];
  const requests: z.infer<typeof requestSchema>[] = [];
  const server = createServer((request, response) => {
    void readRequestText(request).then((text) => {
      const body = requestSchema.parse(JSON.parse(text));
      if (request.method === 'PUT') {
        uploads.push({ path: request.url ?? '', names: body.tools?.map(({ name }) => name) ?? [] });
        return response.end('{}');
      }
      requests.push(body);
      const hasTools = body.tools_id !== undefined;
      const isResult = body.messages.at(-1)?.parts.some(({ type }) => type === 'tool_result') === true;
      const piece =
        isResult || !hasTools
          ? { text: 'Seen.' }
          : { call: { id: `c${requests.length}`, name: 'Read', args: { file_path: 'a.txt' } } };
      return response.end(`${JSON.stringify(piece)}\n${JSON.stringify({ done: true })}\n`);
    });
  });
  onTestFinished(() => closeServer(server));
  const env = { ECHO_API_KEY: 'any', ECHO_API_BASE: `http://127.0.0.1:${await listen(server)}` };
  return { uploads, requests, env };
}

/** The example, whose API keeps tool sets. */
function writeProvider({ folder, read, write, packageFolder }: Place): void {
  cpSync(example('ai_client/echo'), join(folder, 'ai_client/echo'), { recursive: true });
  const client = join('ai_client', 'echo', 'echo_client.js');
  const sent = 'tools: tools.map((tool) => ({ ...tool, name: encodeToolName(tool.name) })),';
  const written = read(client);
  if (!written.includes(sent)) throw new Error('the example has changed');
  const upload = `
  async #upload(hash, tools) {
    const body = JSON.stringify({ ${sent} });
    const response = await fetch(\`\${this.apiBase}/tools/\${hash}\`, { method: 'PUT', body });
    if (!response.ok) throw new APIError('no upload', { status: response.status });
  }

  async #post(`;
  write(
    client,
    written
      .replace(
        sent,
        '...(tools.length === 0 ? {} : { tools_id: await this.toolsIdOf(tools, (hash) => this.#upload(hash, tools)) }),',
      )
      .replace('\n  async #post(', upload),
  );
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(packageFolder, join(folder, 'node_modules/codex-collab'));
}

/** Runs a program of the provider's user. */
async function runProgram({ folder, write }: Place, env: Readonly<Record<string, string>>, body: string) {
  const program = `import { EchoClient } from './ai_client/echo/echo_client.js';\nconst client = new EchoClient();\n${body}`;
  return execute(process.execPath, [write('program.mjs', program)], { cwd: folder, env });
}

test('R004-11 X004-10.1,2 a conversation uploads its tools once, and every request names them by the hash of their content', async ({
  place,
  expect,
}) => {
  writeProvider(place);
  place.write('a.txt', 'the content\n');
  const { uploads, requests, env } = await startUpstream();
  const talked = await place.collab(['chat', '--lead', 'echo'], { input: 'Look.\nAnd again.\n', env });
  expect([talked.code, talked.stdout.match(/^Seen\.$/gm)]).toEqual([0, ['Seen.', 'Seen.']]);
  expect(uploads).toMatchObject([{ names: expect.arrayContaining(['Read']) }]);
  const [, hash = ''] = /^\/tools\/([0-9a-f]{64})$/.exec(uploads[0]?.path ?? '') ?? [];
  expect(requests.map(({ tools, tools_id }) => [tools, tools_id])).toEqual(
    Array.from({ length: 4 }, () => [undefined, hash]),
  );
});

test('X004-10.1,2,4 the same tools in another order need no upload, changed ones and a failed upload do', async ({
  place,
  expect,
}) => {
  writeProvider(place);
  const { uploads, requests, env } = await startUpstream();
  const body = `
const tool = (name, description = 'Reads.') => ({ name, description, parameters: { type: 'object', properties: {} } });
const other = (name) => ({ parameters: { properties: {}, type: 'object' }, description: 'Reads.', name, extra: 1 });
const ask = (...tools) => client.generate('go', { tools: new Map(tools.map((each) => [each.name, each])) });
const send = globalThis.fetch;
globalThis.fetch = async (url, init) => init.method === 'PUT' ? new Response('busy', { status: 503 }) : send(url, init);
const failed = await ask(tool('a'), tool('b')).catch((error) => error.message);
globalThis.fetch = send;
await Promise.all([ask(tool('a'), tool('b')), ask(other('b'), other('a'))]);
await ask(tool('a'), tool('b', 'Writes.'));
await ask(tool('a'), tool('b'));
console.log(failed);
`;
  expect((await runProgram(place, env, body)).stdout).toBe('API呼び出しエラー: no upload\n');
  const [first, changed] = uploads.map(({ path }) => path.replace('/tools/', ''));
  expect(uploads).toHaveLength(2);
  expect(first).not.toBe(changed);
  expect(requests.map(({ tools_id }) => tools_id)).toEqual([first, first, changed, first]);
});

test('R004-4.4 X004-5.2 of segments of other providers only the fields of their type are sent, with a warning about the rest', async ({
  place,
  expect,
}) => {
  writeProvider(place);
  const { requests, env } = await startUpstream();
  const body = `
const segments = [
  { type: 'text', text: 'I look.', data: 'c2VjcmV0' },
  { type: 'ui', ui: { html_file: 'chart.html' } },
  { type: 'tool_call' },
  { type: 'hologram', text: 'no' },
];
const memory = [{ role: 'user', text: 'look' }, { role: 'assistant', segments }];
const { segments: answer } = await client.generate('go', { tools: new Map(), memory });
console.log(JSON.stringify(answer.map(({ type }) => type)));
`;
  const { stdout, stderr } = await runProgram(place, env, body);
  expect(stdout).toBe('["text"]\n');
  expect(requests[0]?.messages).toMatchObject([
    { role: 'user', parts: [{ type: 'text', text: 'look' }] },
    {
      role: 'assistant',
      parts: [{ type: 'text', text: 'I look.\n[ui: {"html_file":"chart.html"}]\n' }],
    },
    { role: 'user', parts: [{ type: 'text', text: 'go' }] },
  ]);
  expect(JSON.stringify(requests)).not.toMatch(/c2VjcmV0|hologram/);
  expect([...stderr.matchAll(/CollabWarning: (.*)$/gm)].map(([, text]) => text)).toEqual([
    'data of a segment of the type text was dropped',
    'a segment of the type tool_call was dropped: it has no toolCall',
    'a segment of the unknown type "hologram" was dropped',
  ]);
});

test('R003-15 R003-16 R003-17 a program runs the calls of an answer with the library, as a whole and as a stream', async ({
  place,
  expect,
}) => {
  writeProvider(place);
  const { requests, env } = await startUpstream();
  const body = `
import { createClientContext } from 'codex-collab';
import { appendMessage, emptyHistory } from 'codex-collab/providers';
const read = { name: 'Read', description: 'Reads.', parameters: { type: 'object', properties: { file_path: { type: 'string' } } } };
const context = createClientContext({
  model: 'echo-1', thinking_budget: null, chat_path: '/chat', history_path: '/chat/history.json', app_path: '/app',
  main_port: '5000', abort_event: new AbortController().signal, execution_id: 'e1', chat_id: 'c1', debug_mode: false,
  tool_loader: { listTools: () => [read], executeTool: async (name, args) => ({ name, args }) },
});
const now = '2026-01-01T00:00:00.000Z';
const empty = emptyHistory({ conversationId: 'c1', title: '', model: 'echo-1', platform: 'echo', now });
const history = appendMessage(empty, { role: 'user', content: 'Look.' }, { id: 'm1', now });
const request = { modelId: 'echo-1', history, currentTextInput: 'Look.', currentFilePaths: [], tools: [read] };
const events = [];
const stream = client.handleFunctionCallsStream(client.sendRequestStream(request), 'echo-1', history, context);
for await (const event of stream) events.push(event);
const response = await client.sendRequest(request);
const [final, executions] = await client.handleFunctionCalls(response, 'echo-1', history, context);
console.log(JSON.stringify({ events, text: client.extractResponseText(final), executions }));
`;
  const { stdout } = await runProgram(place, env, body);
  const execution = { function_name: 'Read', result: { name: 'Read', args: { file_path: 'a.txt' } } };
  const { events, text, executions } = z
    .object({
      events: z.array(z.looseObject({ type: z.string() })),
      text: z.string(),
      executions: z.unknown(),
    })
    .parse(JSON.parse(stdout));
  expect(events).toMatchObject([
    { type: 'function_call_start', function_name: 'Read', args: { file_path: 'a.txt' } },
    { type: 'tool_progress', tool: 'Read' },
    { type: 'function_execution_start', count: 1 },
    { type: 'function_execution_complete', execution },
    { type: 'sending_function_response' },
    { type: 'text_chunk', text: 'Seen.', is_follow_up: true },
    { type: 'complete', text: 'Seen.' },
  ]);
  expect({ text, executions }).toMatchObject({ text: 'Seen.', executions: [execution] });
  expect(requests).toHaveLength(4);
});

test('X003-13 an answer that comes at once is one chunk and its end, and is shown once', async ({
  place,
  expect,
}) => {
  writeProvider(place);
  const client = join('ai_client', 'echo', 'echo_client.js');
  const streamed = "yield { type: 'text_chunk', text: piece.text, is_follow_up: isFollowUp };";
  const written = place.read(client);
  expect(written).toContain(streamed);
  place.write(client, written.replace(streamed, ''));
  const profile = join('ai_client', 'echo', 'ai_profile', 'echo-1.json');
  place.write(
    profile,
    place.read(profile).replace('"supports_streaming": true', '"supports_streaming": false'),
  );
  const { env } = await startUpstream();
  const body = `
import { emptyHistory, lawfulStream } from 'codex-collab/providers';
const history = emptyHistory({ conversationId: 'c1', title: '', model: 'echo-1', platform: 'echo', now: '2026-01-01T00:00:00.000Z' });
const request = { modelId: 'echo-1', history, currentTextInput: 'Look.', currentFilePaths: [] };
for await (const event of lawfulStream(() => client.sendRequestStream(request))) console.log(JSON.stringify(event));
`;
  const { stdout } = await runProgram(place, env, body);
  expect(recordsIn(stdout)).toMatchObject([
    { type: 'text_chunk', text: 'Seen.', is_follow_up: false },
    { type: 'complete', text: 'Seen.' },
  ]);
  const talked = await place.collab(['chat', '--lead', 'echo'], { input: 'Look.\n', env });
  expect([talked.code, talked.stdout.match(/Seen\./g)]).toEqual([0, ['Seen.']]);
});

test.for([
  [
    'R003-59.1 a 401 that counts as passing',
    'code: codeOfStatus(status),',
    "code: 'overloaded',",
    'an error with the code auth for 401',
  ],
  [
    'R003-59.2 a 429 without its wait',
    '...(Number.isFinite(retryAfter) ? { retryAfter } : {}),',
    '',
    'an error that may be retried, after 7 seconds for 429',
  ],
  [
    'R003-59.3 a 500 that counts as final',
    'code: codeOfStatus(status),',
    "code: status === 500 ? 'options' : codeOfStatus(status),",
    'an error that may be retried for 500',
  ],
  [
    'R003-59.4 an invalid answer that counts as one',
    "throw new APIError(`the server said no JSON: ${line.slice(0, 80)}`, { code: 'protocol' });",
    'return { done: true };',
    'an error for an invalid answer',
  ],
  [
    'R003-59.5 a lost connection that counts as final',
    'const response = await fetch(',
    "const response = await (async (...all) => { try { return await fetch(...all); } catch (error) { if (signal.aborted) throw error; throw new APIError('no', { code: 'auth' }); } })(",
    'an error that may be retried for a connection that is reset',
  ],
  [
    'R003-59 a request that repeats itself',
    '    if (response.ok && response.body !== null) return response;',
    "    if (response.ok && response.body !== null) return response;\n    if (response.status === 500) await fetch(`${this.apiBase}/v1/echo`, { method: 'POST', body: '{}', signal }).catch(() => null);",
    'one request for 500; it sent 2',
  ],
] as const)('%s is a fault that the check names', async ([, from, to, says], { place, expect }) => {
  cpSync(example('ai_client/echo'), join(place.folder, 'ai_client/echo'), { recursive: true });
  const client = join('ai_client', 'echo', 'echo_client.js');
  const written = place.read(client);
  expect(written).toContain(from);
  place.write(
    client,
    written.replace(from, () => to),
  );
  const { code, stdout } = await place.collab(['provider', 'check', 'ai_client/echo']);
  expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(says)]);
  expect(stdout).toMatch(/^echo has faults: 1\n/);
});
