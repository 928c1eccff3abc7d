/** Listens for the application's requests, and stops without loss: readers resume, and the next server continues the runs. */
import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { getRequestListener } from '@hono/node-server';
import { CollabError } from '../errors/collab-error.ts';
import type { AccessPolicy } from './access/access-token.ts';
import { createPathHider } from './access/hide-paths.ts';
import { watchTokens } from './access/valid-tokens.ts';
import type { DatabaseEngine } from '../runs/engine/database-engine.ts';
import { openEngine } from '../runs/engine/open-engine.ts';
import { collabHome } from '../runs/folder/run-folder.ts';
import { createApplication } from './routes/application.ts';
import { connectionLimits } from './routes/limits.ts';
import { refuseLateRequests } from './late-requests.ts';
import { createDatabaseRuns } from './runs/database-runs.ts';
import { databaseNumbers } from './runs/run-numbers.ts';
import { databaseTenantRuns } from './runs/database-tenant-runs.ts';
import { createRunManager, type RunManagerOptions } from './runs/run-manager.ts';
import { createRunStreams } from './streams/run-streams.ts';
import type { ServerContext } from './routes/server-context.ts';

export interface HttpServerOptions extends Omit<
  RunManagerOptions,
  'engine' | 'streams' | 'providers' | 'isServerOpen' | 'tokens' | 'hidePaths'
> {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly version: string;
  readonly pageFolder: string;
  readonly access: AccessPolicy;
  /** Files of the owner that the server runs or obeys; no guest gets their paths. */
  readonly ownFiles: readonly string[];
  /** The database of the runs, which workers drive; the caller closes it. Default: folders, whose runs this server drives. */
  readonly database?: DatabaseEngine | undefined;
  /** Overrides the default connection limits. */
  readonly limits?: Partial<typeof connectionLimits>;
}

export interface RunningServer {
  /** `http://127.0.0.1:8765` */
  readonly url: string;
  /**
   * Stops taking requests, disconnects readers, and interrupts the runs, which a later server continues. Safe to call twice.
   */
  stop(): Promise<void>;
}

/**
 * Starts the server, and continues the runs that an earlier server left. The caller stops it.
 * @throws CollabError `usage` for an address it cannot listen on
 */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const { host, port, clock, cwd, env, version, conversations, onFault } = options;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const { database } = options;
  const engine = database ?? openEngine({ clock, env });
  const framesFolder = database === undefined ? undefined : tmpdir();
  const streams = createRunStreams({ clock, engine, onFault, framesFolder });
  const { credentials, providers, requiresToken } = options.access;
  const tokens = watchTokens({ tokens: credentials?.tokens ?? null, clock, onFault });
  const hidePaths = createPathHider({ cwd, home: collabHome({ cwd, env }), files: options.ownFiles, env });
  const common = { ...options, streams, tokens, hidePaths };
  const shared =
    database === undefined
      ? null
      : {
          engine: database,
          tenantRuns: databaseTenantRuns(database),
          numbers: databaseNumbers(database, clock),
        };
  const runs =
    shared === null
      ? createRunManager({ ...common, engine, providers, isServerOpen: !requiresToken })
      : createDatabaseRuns({ ...common, ...shared });
  const context: ServerContext = {
    clock,
    cwd,
    env,
    ports: options.ports,
    version,
    pageFolder: options.pageFolder,
    conversations,
    engine,
    runs,
    streams,
    tokens,
    hidePaths,
    stopping: stopping.signal,
    onFault,
  };
  const listener = getRequestListener(createApplication(context, options.access, shared).fetch);
  const server = createServer(
    { ...connectionLimits, ...options.limits },
    (request, response) => void listener(request, response),
  );
  refuseLateRequests(server, options.limits?.requestTimeout ?? connectionLimits.requestTimeout);
  const answers = watchAnswers(server);
  const address = await listen(server, host, port);
  await runs.recover();
  let stopped: Promise<void> | null = null;

  async function stop(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    tokens.close();
    await runs.stop();
    stopping.abort(new Error('the server stops'));
    await streams.close();
    await answers.all();
    // Browsers keep idle connections on which they have sent no request yet.
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    stop: () => (stopped ??= stop()),
  };
}

/** `all` resolves when no answer is in progress. */
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

/** Connections that wait to be accepted; the system lowers it to its own limit. Node's default of 511 refused bursts of readers. */
const backlog = 65_535;

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.on('error', (cause) =>
      reject(
        new CollabError('usage', `The server cannot listen at ${host}:${port}: ${cause.message}`, {
          hint: 'use another port; collab serve --port 0 chooses a free one',
          cause,
        }),
      ),
    );
    server.listen({ host, port, backlog }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new CollabError('internal', 'no address'));
      else resolve(address);
    });
  });
}
