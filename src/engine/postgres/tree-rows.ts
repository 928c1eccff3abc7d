/** The files of runs, packed: stored once under the digest of their list, however many runs read them. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Pool } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import { inTransaction, repeatWhileOut } from './connect.ts';

export interface TreeRows {
  /** Stores the parts of a tree unless it is stored; it is there as a whole or not at all. */
  put(id: string, parts: AsyncIterable<Uint8Array>): Promise<void>;
  /** Yields the parts in order. @throws CollabError `input` if the tree is not stored */
  get(id: string): AsyncGenerator<Buffer>;
}

export function createTreeRows(pool: Pick<Pool, 'query' | 'connect'>): TreeRows {
  return {
    async put(id, parts) {
      if (await touch(pool, id)) return;
      const packed: Buffer[] = [];
      for await (const part of parts) packed.push(gzipSync(part));
      await repeatWhileOut(() => store(pool, id, packed));
    },
    async *get(id) {
      for (let part = 0; ; part += 1) {
        const { rows } = await repeatWhileOut(() =>
          pool.query<{ body: Buffer }>('select body from collab.tree_part where tree = $1 and part = $2', [
            id,
            part,
          ]),
        );
        const [row] = rows;
        if (row === undefined && part === 0) throw noTree(id);
        if (row === undefined) return;
        yield gunzipSync(row.body);
      }
    },
  };
}

/** Marks the tree as used, so that `collab engine clean` keeps it until its run is stored. Returns false if it is not there. */
async function touch(pool: Pick<Pool, 'query'>, id: string): Promise<boolean> {
  const { rowCount } = await repeatWhileOut(() =>
    pool.query('update collab.tree set used_at = now() where id = $1', [id]),
  );
  return rowCount === 1;
}

async function store(pool: Pick<Pool, 'connect'>, id: string, parts: readonly Buffer[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Another process that stores the same tree waits here, and then stores nothing.
    const { rowCount } = await client.query(
      'insert into collab.tree (id, size) values ($1, $2) on conflict do nothing',
      [id, parts.reduce((sum, part) => sum + part.length, 0)],
    );
    if (rowCount === 1)
      for (const [part, body] of parts.entries())
        await client.query('insert into collab.tree_part (tree, part, body) values ($1, $2, $3)', [
          id,
          part,
          body,
        ]);
  });
}

function noTree(id: string): CollabError {
  return new CollabError('input', `The database does not hold the files of the run: ${id}`, {
    hint: 'Submit the run again.',
  });
}
