/** An MCP host: calls the tools of the installed `collab` with the SDK's client, over stdio or a server's route. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import type { Place } from '../place.ts';

/** The supported generations of the protocol, by year. */
export const generations = ['2025', '2026'] as const;
export type Generation = (typeof generations)[number];

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string() })),
});

export interface HostOptions {
  readonly generation?: Generation;
  /** Returns the person's text for a form, or null to decline it. Omitted: the host has no forms. */
  readonly person?: (message: string) => string | null;
  /** Omitted: the host starts `collab mcp` in the place. */
  readonly at?: ServedTenant;
}

export interface ServedTenant {
  /** The address of a server. */
  readonly url: string;
  readonly tenant: string;
  readonly token?: string;
}

export interface Host {
  readonly client: Client;
  /** Process id of the server that the host started; 0 if it started none. */
  readonly pid: number;
  /** Calls a tool, then waits until the run is no longer running. @throws Error with the text of a refusal */
  readonly call: (tool: string, args?: object) => Promise<ToolAnswer>;
  /** Calls a tool that refuses, and returns the text of the refusal. */
  readonly refusal: (tool: string, args?: object) => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface ToolAnswer {
  /** Fields of the lines before the first empty line: `run`, `state`, `outcome`, `next`. */
  readonly head: Readonly<Record<string, string>>;
  readonly text: string;
}

export function headOf(text: string): ToolAnswer['head'] {
  const [head = ''] = text.split('\n\n');
  return Object.fromEntries(
    head.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
}

export async function openHost(
  place: Place,
  { generation = '2026', person, at }: HostOptions = {},
): Promise<Host> {
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    {
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      ...(generation === '2025' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
      const answer = person(message);
      return answer === null ? { action: 'decline' } : { action: 'accept', content: { answer } };
    });
  }
  const transport = at === undefined ? startedServer(place) : routeOf(at);
  await client.connect(transport);
  const raw = async (name: string, args: object) =>
    resultSchema.parse(await client.callTool({ name, arguments: { ...args } }));
  const answerOf = async (name: string, args: object): Promise<ToolAnswer> => {
    const { isError, content } = await raw(name, args);
    const text = content.map((part) => part.text).join('\n');
    if (isError === true) throw new Error(text);
    const head = headOf(text);
    return head['state'] === 'running' ? answerOf('status', { run: head['run'] }) : { head, text };
  };
  return {
    client,
    pid: transport instanceof StdioClientTransport ? (transport.pid ?? 0) : 0,
    call: (tool, args = {}) => answerOf(tool, args),
    async refusal(tool, args = {}) {
      const { isError, content } = await raw(tool, args);
      if (isError !== true) throw new Error(`${tool} refused nothing`);
      return content.map((part) => part.text).join('\n');
    },
    close: () => client.close(),
  };
}

function startedServer(place: Place): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [place.command, 'mcp'],
    cwd: place.folder,
    env: { ...place.environment },
    stderr: 'ignore',
  });
}

function routeOf({ url, tenant, token }: ServedTenant): StreamableHTTPClientTransport {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(`/api/tenants/${tenant}/mcp`, url), {
    requestInit: { headers },
  });
}
