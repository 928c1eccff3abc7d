/** A running `codex app-server` with its handshake done. */
import { z } from 'zod';
import { systemClock } from '../../../system/clock.ts';
import { startServer, type ServerProcess, type ServerEnding } from '../../../system/start-server.ts';
import { missingAbility } from '../../program/lacks-ability.ts';
import { createRpc, type Rpc } from '../turn/rpc.ts';
import type { CommandOptions } from '../../../system/run-command.ts';

export interface ConnectOptions extends Pick<CommandOptions, 'file' | 'args' | 'cwd' | 'env' | 'signal'> {
  /** Time limit for the handshake. */
  readonly timeoutMs: number;
}

export interface CodexConnection {
  readonly rpc: Rpc;
  /** Codex's own version text: "0.169.0". */
  readonly version: string | null;
  readonly pid: number;
  /** Resolves when the server has ended. */
  readonly ended: Promise<ConnectionEnding>;
  /** `forAnotherTurn` is true if it ends because of another turn's limit. */
  stop(reason?: 'forAnotherTurn'): Promise<ConnectionEnding>;
}

export interface ConnectionEnding extends ServerEnding {
  /** Why we stopped it; null if it ended by itself. */
  readonly stopped: 'closed' | 'forAnotherTurn' | null;
}

export type ConnectResult =
  | { readonly ok: true; readonly connection: CodexConnection }
  | {
      readonly ok: false;
      readonly missing: boolean;
      /** The option or feature that the program does not know; null if that is not the reason. */
      readonly ability: string | null;
      readonly message: string;
    };

export async function connect(options: ConnectOptions): Promise<ConnectResult> {
  const start = await startServer(options);
  if (!start.started) {
    return {
      ok: false,
      missing: start.missing,
      ability: null,
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
    return { ok: false, missing: false, ability: null, message: `no answer to the handshake ${limit}` };
  }
  const ability = missingAbility(ending.stderr);
  const message =
    ability === null ? (lastWords(ending) ?? handshake.message) : `it does not support ${ability}`;
  return { ok: false, missing: false, ability, message };
}

/** Returns the end of a failed Codex's standard error, in one line; null if it is empty. */
export function lastWords({ stderr }: ServerEnding): string | null {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('WARNING'));
  return lines.length === 0 ? null : lines.slice(-3).join(' ');
}

/** `experimentalApi` makes `thread/start` report the active permission profile. */
const hello = {
  clientInfo: { name: 'collab', title: 'collab', version: '1' },
  capabilities: { experimentalApi: true },
};
const welcomeSchema = z.looseObject({ userAgent: z.string().nullish() });

function open(server: ServerProcess): Omit<CodexConnection, 'version'> {
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

/** Reads the version from `collab/0.169.0 (Debian 12.0.0; x86_64) …`. */
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
