/**
 * Serves our tools to Claude Code: it sends requests on its output and reads answers on its input, as for an MCP server within
 * the caller's process (`mcp_message` of the control channel of `--input-format stream-json`, 2.1.330).
 */
import { z } from 'zod';
import { unreadableCall } from '../../prompts/conversation/loop-notices.ts';
import { decodeToolName, encodeToolName } from '../../tools/definition/tool-name.ts';
import type { HandedCall, HandedTools } from '../contract/contract.ts';

/** Server name, which is part of Claude Code's tool names: `mcp__collab__Read`. */
const serverName = 'collab';

export const serverArguments: readonly string[] = [
  '--input-format',
  'stream-json',
  '--mcp-config',
  JSON.stringify({ mcpServers: { [serverName]: { type: 'sdk', name: serverName } } }),
  '--allowedTools',
  `mcp__${serverName}`,
];

/** Makes Claude Code list all tools at once, wait a day for a call, and write no result to a file. */
export const serverEnvironment: Readonly<Record<string, string>> = {
  ENABLE_TOOL_SEARCH: 'false',
  MCP_TOOL_TIMEOUT: String(24 * 60 * 60 * 1000),
  MAX_MCP_OUTPUT_TOKENS: '200000',
};

/**
 * Returns true if this tool name, as Claude Code writes it, is one of ours; such a call is reported by the caller that
 * supplied the tools.
 */
export function isHanded(name: string): boolean {
  return name.startsWith(`mcp__${serverName}__`);
}

export interface ToolServerOptions {
  readonly tools: HandedTools;
  readonly write: (line: string) => void;
  readonly signal: AbortSignal;
  /** Wraps each call of a tool. */
  readonly during: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

export interface ToolServer {
  /** Handles a line; returns false if it is not for this server. */
  hear(line: string): boolean;
  /** Resolves when no call is running; rejects with an error of our own side. */
  settled(): Promise<void>;
}

export function createToolServer(options: ToolServerOptions): ToolServer {
  const { tools, write, signal } = options;
  const running = new Set<Promise<void>>();
  const faults: unknown[] = [];

  function begin(requestId: string, { method, params, id = 0 }: Message): void {
    const respond = (result: object): void => {
      const response = { mcp_response: { jsonrpc: '2.0', id, result } };
      write(controlResponse({ subtype: 'success', request_id: requestId, response }));
    };
    switch (method) {
      case 'initialize':
        return respond(initialized(params));
      case 'tools/list':
        return respond({ tools: tools.offered.map(describe) });
      case 'tools/call': {
        const call = callSchema.safeParse(params);
        if (!call.success) return respond(told(unreadableCall, true));
        return keep(perform(callOf(call.data, requestId), options).then(respond));
      }
      default:
        return respond({});
    }
  }

  function keep(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => {
        if (!signal.aborted) faults.push(error);
      })
      .finally(() => running.delete(kept));
    running.add(kept);
  }

  return {
    hear(line) {
      const request = readRequest(line);
      if (request === null) return false;
      const { request_id: requestId, request: asked } = request;
      if (asked.subtype === 'mcp_message' && asked.message !== undefined) begin(requestId, asked.message);
      else {
        const error = `${asked.subtype} is not answered here`;
        write(controlResponse({ subtype: 'error', request_id: requestId, error }));
      }
      return true;
    },
    async settled() {
      await Promise.all(running);
      if (faults.length > 0) throw faults[0];
    },
  };
}

export function userMessage(text: string): string {
  return JSON.stringify({ type: 'user', message: { role: 'user', content: text } });
}

const messageSchema = z.looseObject({
  method: z.string(),
  params: z.unknown().optional(),
  id: z.union([z.number(), z.string()]).optional(),
});
type Message = z.infer<typeof messageSchema>;

const requestSchema = z.looseObject({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.looseObject({ subtype: z.string(), message: messageSchema.optional() }),
});

const callSchema = z.looseObject({
  name: z.string(),
  arguments: z.json().default({}),
  _meta: z.looseObject({ 'claudecode/toolUseId': z.string().optional() }).optional(),
});

function readRequest(line: string): z.infer<typeof requestSchema> | null {
  if (!line.includes('"control_request"')) return null;
  try {
    return requestSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function callOf(
  { name, arguments: args, _meta: meta }: z.infer<typeof callSchema>,
  requestId: string,
): HandedCall {
  return { id: meta?.['claudecode/toolUseId'] ?? requestId, name: decodeToolName(name), args };
}

async function perform(call: HandedCall, { tools, signal, during }: ToolServerOptions): Promise<object> {
  const { content, isError } = await during(() => tools.call(call, signal));
  return told(content, isError);
}

function told(text: string, isError: boolean): object {
  return { content: [{ type: 'text', text }], isError };
}

/** Answers `initialize`. The client chooses the protocol version, because only three requests are used. */
function initialized(params: unknown): object {
  const asked = z.looseObject({ protocolVersion: z.string() }).safeParse(params);
  return {
    protocolVersion: asked.success ? asked.data.protocolVersion : '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: serverName, version: '1' },
  };
}

function describe({ name, description, parameters, readOnly }: HandedTools['offered'][number]): object {
  return {
    name: encodeToolName(name),
    description,
    inputSchema: { type: 'object', ...parameters },
    // A tool that changes nothing may run in parallel with others of its kind.
    annotations: { readOnlyHint: readOnly },
  };
}

function controlResponse(response: object): string {
  return JSON.stringify({ type: 'control_response', response });
}
