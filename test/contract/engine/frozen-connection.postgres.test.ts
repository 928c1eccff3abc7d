/** A connection that carries nothing any more and does not end, as after a cut cable: its process connects again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/engine/postgres/connect.ts';
import { showPresence } from '../../../src/engine/postgres/presence.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { migrate } from '../../../src/engine/postgres/migrate.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

test('a process whose connection is frozen connects again and keeps its number', async () => {
  const url = await cluster.createDatabase();
  const cable = await openCable(url);
  const database = await openDatabase(cable.url);
  const direct = await openDatabase(url);
  try {
    await migrate(direct.pool);
    const presence = await showPresence(database);
    const backendOf = async (): Promise<unknown> => {
      const { rows } = await direct.pool.query('select backend from collab.process where number = $1', [
        presence.number,
      ]);
      return rows[0];
    };
    const first = await backendOf();
    cable.freeze();
    await expect.poll(backendOf).not.toEqual(first);
    expect(presence.lost.aborted).toBe(false);
    await presence.close();
  } finally {
    await database.close();
    await direct.close();
    await cable.close();
  }
});

/** Forwards connections to the socket of the cluster until they are frozen; later ones are forwarded again. */
async function openCable(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'collab-cable-'));
  const name = '.s.PGSQL.5432';
  const target = join(decodeURIComponent(url.split('host=')[1] ?? ''), name);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(join(folder, name), resolve);
  });
  return {
    url: url.replace(/host=.*/u, `host=${encodeURIComponent(folder)}`),
    freeze() {
      for (const socket of open) socket.unpipe().resume();
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
