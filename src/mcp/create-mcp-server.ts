/** An MCP server over the runs of one caller: both generations of the protocol use it, over any transport. */
import { McpServer } from '@modelcontextprotocol/server';
import { hostInstructions } from '../prompts/host-instructions.ts';
import { version } from '../version.ts';
import type { CallerRuns } from './caller-runs.ts';
import { addResources } from './resources.ts';
import { addTools } from './tools.ts';

export function createMcpServer(runs: CallerRuns): McpServer {
  const server = new McpServer({ name: 'collab', version }, { instructions: hostInstructions });
  addTools(server, runs);
  addResources(server, runs);
  return server;
}
