/**
 * Stands between the suite and the server, and calls a tool of the server where the suite calls one of its own example
 * server: so its checks of tasks and errors judge ours. Everything else passes unchanged, `Host` and `Origin` too.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';

export interface RealCall {
  readonly name: string;
  readonly arguments: object;
}

/** Returns the call instead of that of the suite; null to leave it as it is. */
export type RealCallOf = (name: string, args: Readonly<Record<string, unknown>>) => RealCall | null;

export interface SuiteTools {
  readonly url: string;
  readonly close: () => void;
}

export async function openSuiteTools(target: string, realCall: RealCallOf): Promise<SuiteTools> {
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { body, headers } = translated(await textOf(request), request, realCall);
    const outgoing = httpRequest(target, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = addressSchema.parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const addressSchema = z.object({ port: z.int() });

const callSchema = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
});

function translated(sent: string, { headers }: IncomingMessage, realCall: RealCallOf) {
  const call = callSchema.safeParse(jsonOf(sent)).data;
  const real = call === undefined ? null : realCall(call.params.name, call.params.arguments);
  if (call === undefined || real === null) return { body: sent, headers };
  const body = JSON.stringify({ ...call, params: { ...call.params, ...real } });
  // The header repeats the name in the body; one that the suite made wrong stays wrong.
  const isRight = headers['mcp-name'] === call.params.name;
  return {
    body,
    headers: {
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      ...(isRight ? { 'mcp-name': real.name } : {}),
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
