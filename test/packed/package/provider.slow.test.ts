/** A custom provider for its author and its user: copied into a folder, listed, checked, used. */
import { createServer } from 'node:http';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { z } from 'zod';
import { closeServer, listen, readRequestText } from '../../../src/system/loopback.ts';
import { closingLineIn } from '../../../src/tags/closing-line.ts';
import { example, test, type Place } from '../place.ts';

const clean =
  '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- `total` is clear\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n';

const lines = z.array(
  z.looseObject({ name: z.string(), ready: z.boolean(), models: z.array(z.string()), origin: z.string() }),
);

function drop({ folder }: Place): void {
  cpSync(example('ai_client/echo'), join(folder, 'ai_client/echo'), { recursive: true });
}

/** Node's own report: absent before 22.10. */
const stripsTypes = Boolean(Reflect.get(process.features, 'typescript'));

/** The same with types that JavaScript cannot express. */
function writeInTypeScript(folder: string): void {
  const [script, typed] = ['echo_client.js', 'echo_client.ts'].map((name) => join(folder, name));
  const text = readFileSync(script ?? '', 'utf8');
  const method = 'async *sendRequestStream(options) {';
  if (!text.includes(method)) throw new Error('the example has changed');
  writeFileSync(
    typed ?? '',
    text
      .replace('  AiClient,', '  type ProviderEvent,\n  type StreamOptions,\n  AiClient,')
      .replace(
        method,
        'override async *sendRequestStream(options: StreamOptions): AsyncGenerator<ProviderEvent, void, void> {',
      ),
  );
  rmSync(script ?? '');
}

/** Sends the review piece by piece, and keeps its requests. */
async function withUpstream<Value>(
  body: (url: string, asked: readonly string[]) => Promise<Value>,
): Promise<Value> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void readRequestText(request).then((text) => {
      asked.push(text);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for (const piece of `${clean}\n${closingLineIn(text) ?? ''}\n`.match(/[^]{1,20}/gu) ?? [])
        response.write(`${JSON.stringify({ text: piece })}\n`);
      return response.end(
        `${JSON.stringify({ done: true, usage: { input_tokens: 9, output_tokens: 4 } })}\n`,
      );
    });
  });
  try {
    return await body(`http://127.0.0.1:${await listen(server)}`, asked);
  } finally {
    await closeServer(server);
  }
}

describe.concurrent('a user’s own provider', () => {
  test('R003-7 is listed where its folder was dropped, beside one with faults', async ({ place, expect }) => {
    drop(place);
    place.write('ai_client/Broken/readme.txt', '');
    const { code, stdout } = await place.collab(['provider', 'list', '--json']);
    expect(code).toBe(0);
    const found = lines.parse(JSON.parse(stdout));
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['codex', 'anthropic', 'Broken', 'echo']),
    );
    expect(found.find(({ name }) => name === 'echo')).toMatchObject({ ready: true, models: ['echo-1'] });
    expect(found.find(({ name }) => name === 'Broken')).toMatchObject({ ready: false });
  });

  test('X003-20.1,3 is checked: 0 where it keeps the contract, 1 with all faults where not', async ({
    place,
    expect,
  }) => {
    drop(place);
    expect(await place.collab(['provider', 'check', 'ai_client/echo'])).toMatchObject({
      code: 0,
      stdout: 'echo meets the contract\n',
    });
    place.write('ai_client/echo/package.json', '{');
    place.write('ai_client/echo/ai_profile/other.json', '{');
    const broken = await place.collab(['provider', 'check', 'ai_client/echo']);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/package_invalid[^]*profile_invalid/);
    expect(await place.collab(['provider', 'check', 'nowhere'])).toMatchObject({ code: 2 });
  });

  test('R003-3 in TypeScript is loaded where this Node strips types, and elsewhere a fault that says so', async ({
    place,
    expect,
  }) => {
    drop(place);
    writeInTypeScript(join(place.folder, 'ai_client/echo'));
    const { code, stdout } = await place.collab(['provider', 'check', 'ai_client/echo']);
    const fault = `Node ${process.versions.node} runs no TypeScript`;
    expect({ code, says: stdout.split('\n')[0], refused: stdout.includes(fault) }).toEqual(
      stripsTypes
        ? { code: 0, says: 'echo meets the contract', refused: false }
        : { code: 1, says: 'echo has faults: 1', refused: true },
    );
  });

  test('reviews if the command line names it', async ({ place, expect }) => {
    drop(place);
    await withUpstream(async (url, asked) => {
      const env = { ECHO_API_KEY: 'any', ECHO_API_BASE: url };
      const reviewed = await place.collab(['review', example('harmless.diff'), '--advisor', 'echo'], { env });
      expect(reviewed).toMatchObject({ code: 0 });
      expect(asked).toHaveLength(1);
      expect(asked[0]).toContain('[REQUEST:REVIEW]');
    });
    expect(JSON.parse((await place.collab(['show', '--json'])).stdout)).toMatchObject({
      outcome: 'clean',
      assurance: 'model',
      advisor: { provider: 'echo', model: 'echo-1' },
    });
  });

  test('runs neither because of a configuration nor, in CI, from the checkout', async ({ place, expect }) => {
    drop(place);
    place.git('init', '--quiet');
    place.write('ai_client/echo/echo_client.js', 'process.exit(77);');
    place.write('collab.config.yaml', 'advisor: echo\n');
    const byConfig = await place.collab(['review', example('harmless.diff')]);
    expect(byConfig).toMatchObject({ code: 2, stderr: expect.stringContaining('--advisor echo') });
    const env = { CI: 'true' };
    const inCi = await place.collab(['review', example('harmless.diff'), '--advisor', 'echo'], { env });
    expect(inCi).toMatchObject({ code: 2, stderr: expect.stringContaining('CI is set') });
    place.write('collab.config.yaml', 'fail_on: critical\n');
    expect(await place.collab(['provider', 'list'])).toMatchObject({ code: 0 });
  });
});
