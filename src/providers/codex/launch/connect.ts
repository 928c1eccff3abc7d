/** A running `codex app-server` with its handshake done. */
import { z } from 'zod';
import { systemClock } from '../../../system/clock.ts';
import { startServer, type Server, type ServerEnding } from '../../../system/start-server.ts';
import { createRpc, type Rpc } from '../turn/rpc.ts';

export interface ConnectOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Until the handshake is done. */
  readonly timeoutMs: number;
  /** Gives up the handshake. */
  readonly signal?: AbortSignal;
}

export interface Connection {
  readonly rpc: Rpc;
  /** As Codex says it: "0.169.0". */
  readonly version: string | null;
  readonly pid: number;
  /** Settles when the server is gone. */
  readonly ended: Promise<ConnectionEnding>;
  /** `forAnotherTurn`: its limit could not be kept otherwise. */
  stop(reason?: 'forAnotherTurn'): Promise<ConnectionEnding>;
}

export interface ConnectionEnding extends ServerEnding {
  /** Whether we stopped it, and for whose sake; null when it died by itself. */
  readonly stopped: 'closed' | 'forAnotherTurn' | null;
}

export type ConnectResult =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly missing: boolean; readonly message: string };

export async function connect(options: ConnectOptions): Promise<ConnectResult> {
  const start = await startServer(options);
  if (!start.started) {
    return {
      ok: false,
      missing: start.missing,
      message: `${options.file} cannot be started (${start.failure})`,
    };
  }
  const connection = open(start.server);
  const handshake = await withTimeout(connection.rpc.call('initialize', hello, welcomeSchema), options);
  if (handshake?.ok === true) {
    connection.rpc.notify('initialized', {});
    return { ok: true, connection: { ...connection, version: versionOf(handshake.value.userAgent) } };
  }
  const ending = await connection.stop();
  if (handshake === null) {
    const limit = options.signal?.aborted === true ? 'before it was given up' : `in ${options.timeoutMs} ms`;
    return { ok: false, missing: false, message: `no answer to the handshake ${limit}` };
  }
  return { ok: false, missing: false, message: lastWords(ending) ?? handshake.message };
}

/** What a dying Codex said last on standard error, in one line; null when it said nothing. */
export function lastWords({ stderr }: ServerEnding): string | null {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('WARNING'));
  return lines.length === 0 ? null : lines.slice(-3).join(' ');
}

/** `experimentalApi` is what makes `thread/start` tell the active permission profile. */
const hello = {
  clientInfo: { name: 'collab', title: 'collab', version: '1' },
  capabilities: { experimentalApi: true },
};
const welcomeSchema = z.looseObject({ userAgent: z.string().nullish() });

function open(server: Server): Omit<Connection, 'version'> {
  const rpc = createRpc((line) => server.write(line));
  let stopped: ConnectionEnding['stopped'] = null;
  const read = async (): Promise<void> => {
    for await (const line of server.lines) rpc.receive(line);
  };
  const ended = Promise.all([server.ended, read()]).then(([ending]) => {
    rpc.close();
    return { ...ending, stopped };
  });
  return {
    rpc,
    pid: server.pid,
    ended,
    async stop(reason) {
      stopped ??= reason ?? 'closed';
      void server.stop();
      return ended;
    },
  };
}

/** `collab/0.169.0 (Debian 12.0.0; x86_64) …` */
function versionOf(userAgent: string | null | undefined): string | null {
  return /\/(\d+\.\d+\.\d+\S*)/.exec(userAgent ?? '')?.[1] ?? null;
}

async function withTimeout<Value>(
  promise: Promise<Value>,
  { timeoutMs, signal }: Pick<ConnectOptions, 'timeoutMs' | 'signal'>,
): Promise<Value | null> {
  const settled = new AbortController();
  const waiting = AbortSignal.any([settled.signal, ...(signal === undefined ? [] : [signal])]);
  const limit = systemClock.sleep(timeoutMs, waiting).then(nothing, nothing);
  try {
    return await Promise.race([promise, limit]);
  } finally {
    settled.abort();
  }
}

function nothing(): null {
  return null;
}
