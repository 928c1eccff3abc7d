/** `collab mcp`: serves this folder to an agent that speaks the Model Context Protocol, over standard input and output. */
import type { Program } from '../program.ts';

const examples = `
Examples:
  claude mcp add collab -- collab mcp
  codex mcp add collab -- collab mcp

The calling agent gets tools to review, consult, run and fix, and to read and cancel runs. Edits stay in a copy:
you bring them into your files with collab apply. Only you accept a gate of a run. The server ends with its caller;
runs continue in their own processes.
`;

export function addMcpCommand({ root, run }: Program): void {
  root
    .command('mcp')
    .description('serve this folder to an agent over MCP')
    .addHelpText('after', examples)
    .action(() => {
      run(async (session) => (await import('../mcp/serve-mcp.ts')).serveMcp(session));
    });
}
