/** An MCP server over the runs of one caller: both generations of the protocol use it, over any transport. */
import { McpServer, type McpRequestContext } from '@modelcontextprotocol/server';
import { hostInstructions } from '../prompts/host-instructions.ts';
import { version } from '../version.ts';
import type { CallerRuns } from './caller-runs.ts';
import { addResources } from './resources.ts';
import { addTasks } from './tasks.ts';
import { addTools } from './tools.ts';

/** @param era the generation: `legacy` is that of 2025 */
export function createMcpServer(runs: CallerRuns, era: McpRequestContext['era']): McpServer {
  const server = new McpServer({ name: 'collab', version }, { instructions: hostInstructions });
  addTools(server, runs);
  addResources(server, runs);
  if (era === 'modern') addTasks(server, runs);
  return server;
}
