/** Serves an editor over standard input and output until it closes its end. */
import { exitCodeOfSignal } from '../exit-code.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { createAcpAgent } from './agent.ts';
import { createPacedStream } from './paced-stdio.ts';

/** Returns the exit code. Runs at work continue in their own processes. */
export async function serveAcp(session: Session, read: Program['read']): Promise<number> {
  const gone = new AbortController();
  const connection = createAcpAgent(session, { read, gone: gone.signal }).connect(
    createPacedStream(session.stdin, process.stdout),
  );
  // Before the connection ends its requests: an editor that leaves cancels nothing.
  connection.signal.addEventListener('abort', () => gone.abort(), { once: true });
  session.signal.addEventListener('abort', () => connection.close(), { once: true });
  if (session.signal.aborted) connection.close();
  await connection.closed;
  gone.abort();
  const signal = session.endedBy();
  // A write that the reader has not taken by now would keep the process alive.
  if (signal !== null) process.exit(exitCodeOfSignal(signal));
  return 0;
}
