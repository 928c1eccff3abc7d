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

const execute = promisify(execFile);

const requestSchema = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  tools_id: z.string().optional(),
  messages: z.array(z.looseObject({ role: z.string(), parts: z.array(z.looseObject({})) })).default([]),
});

/** Keeps tool sets, and answers each message but the results of a call with a call of `Read`. */
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
      const isResult = body.messages.at(-1)?.parts.some(({ type }) => type === 'tool_result') === true;
      const piece = isResult
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
      .replace(sent, 'tools_id: await this.toolsIdOf(tools, (hash) => this.#upload(hash, tools)),')
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
  expect(stdout).toBe('["tool_call"]\n');
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
