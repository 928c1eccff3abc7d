/** A way to a database whose connections a test can cut. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startRelay, type Relay } from '../fixtures/relay.ts';

export interface DatabaseWay extends Relay {
  /** The address of the database by this way. */
  readonly address: string;
}

const socketName = '.s.PGSQL.5432';

/** `address`: of a cluster that listens on a socket. `folder`: a short path, for the socket of the way. */
export async function startDatabaseWay(address: string, folder: string): Promise<DatabaseWay> {
  const host = new URL(address.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
  mkdirSync(folder, { recursive: true });
  const relay = await startRelay({ from: join(folder, socketName), to: { path: join(host, socketName) } });
  return { ...relay, address: address.replace(encodeURIComponent(host), encodeURIComponent(folder)) };
}
