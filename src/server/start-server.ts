/** Listens for the application's requests, and stops so that nothing is lost: readers resume, runs go on in the next server. */
import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { CollabError } from '../errors/collab-error.ts';
import type { AccessPolicy } from './access/access-token.ts';
import { createApplication } from './routes/application.ts';
import { connectionLimits } from './routes/limits.ts';
import { createRunManager, type RunManagerOptions } from './runs/run-manager.ts';
import { createRunStreams } from './streams/run-streams.ts';
import type { ServerContext } from './routes/server-context.ts';

export interface ServerOptions extends Omit<RunManagerOptions, 'streams'> {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  readonly version: string;
  readonly pageFolder: string;
  readonly access: AccessPolicy;
  /** In place of those that stand for a connection. */
  readonly limits?: Partial<typeof connectionLimits>;
}

export interface RunningServer {
  /** `http://127.0.0.1:8765` */
  readonly url: string;
  /** No new requests; readers are let go; runs are interrupted so that they go on later. Safe to call twice. */
  stop(): Promise<void>;
}

/** The caller stops it. Runs that an earlier server left go on. @throws CollabError `usage` for an address that cannot be listened at */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, clock, version, conversations, onFault } = options;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const streams = createRunStreams({ clock, onFault });
  const runs = createRunManager({ ...options, streams });
  const context: ServerContext = {
    clock,
    version,
    pageFolder: options.pageFolder,
    conversations,
    runs,
    streams,
    stopping: stopping.signal,
    onFault,
  };
  const listener = getRequestListener(createApplication(context, options.access).fetch);
  const server = createServer(
    { ...connectionLimits, ...options.limits },
    (request, response) => void listener(request, response),
  );
  const answers = watchAnswers(server);
  const address = await listen(server, host, port);
  await runs.recover();
  let stopped: Promise<void> | null = null;

  async function stop(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    await runs.stop();
    stopping.abort(new Error('the server stops'));
    await streams.close();
    await answers.all();
    // Browsers keep connections on which they have asked nothing yet.
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    stop: () => (stopped ??= stop()),
  };
}

/** `all` resolves when no answer is under way. */
function watchAnswers(server: Server): { all(): Promise<void> } {
  const open = new Set<Promise<void>>();
  server.on('request', (_request, response) => {
    const answer = new Promise<void>((resolve) => {
      response.on('close', resolve);
    });
    open.add(answer);
    void answer.then(() => open.delete(answer));
  });
  return {
    async all() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.on('error', (cause) =>
      reject(
        new CollabError('usage', `The server cannot listen at ${host}:${port}: ${cause.message}`, {
          hint: 'another port: collab serve --port 0 takes any that is free',
          cause,
        }),
      ),
    );
    server.listen({ host, port }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new CollabError('internal', 'no address'));
      else resolve(address);
    });
  });
}
