/** The MCP server on standard input and output: both generations of the protocol, by the SDK. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from '../../mcp/create-mcp-server.ts';
import { printableError } from '../printable-error.ts';
import type { Session } from '../session.ts';
import { runsApart } from './runs-apart.ts';

/** Serves until the caller closes its end. Returns the exit code. */
export async function serveMcp(session: Session): Promise<number> {
  const closed = new Promise<void>((resolve) => {
    session.stdin.once('end', resolve);
    session.stdin.once('close', resolve);
    session.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const runs = await runsApart(session);
  const handle = serveStdio(({ era }) => createMcpServer(runs, era), {
    onerror: (error) => session.err(`mcp: ${printableError(error.message)}\n`),
  });
  await closed;
  await handle.close();
  return 0;
}
