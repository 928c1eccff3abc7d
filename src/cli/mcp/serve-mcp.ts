/** The MCP server on standard input and output: both generations of the protocol, by the SDK. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { hostInstructions } from '../../prompts/host-instructions.ts';
import { version } from '../../version.ts';
import type { Session } from '../session.ts';
import { addResources } from './resources.ts';
import { addTools } from './tools.ts';

/** Serves until the caller closes its end. Returns the exit code. */
export async function serveMcp(session: Session): Promise<number> {
  const closed = new Promise<void>((resolve) => {
    session.stdin.once('end', resolve);
    session.stdin.once('close', resolve);
    session.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: 'collab', version }, { instructions: hostInstructions });
      addTools(server, session);
      addResources(server, session);
      return server;
    },
    { onerror: (error) => session.err(`mcp: ${error.message}\n`) },
  );
  await closed;
  await handle.close();
  return 0;
}
