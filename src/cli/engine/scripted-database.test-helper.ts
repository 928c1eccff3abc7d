/** A database that answers the queries of this process from a script. */
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { migrations } from '../../engine/postgres/migrations.ts';

/** The rows of a query's answer. */
export type Answer = (values: readonly unknown[]) => readonly object[] | Promise<readonly object[]>;

export interface Asked {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface ScriptedDatabase {
  /** All queries, in order. */
  readonly asked: readonly Asked[];
  /** The addresses that were opened. */
  readonly opened: readonly string[];
  /** Breaks the connections by which processes show that they are alive. */
  readonly breakConnections: () => void;
  readonly openConnections: () => number;
}

interface Opened {
  readonly options?: { readonly connectionString?: string };
  emit?(event: 'end'): void;
}

interface Methods {
  query(sql: string, values?: readonly unknown[]): Promise<unknown>;
  connect(): Promise<unknown>;
  end(): Promise<void>;
}

const usual: Readonly<Record<string, Answer>> = {
  to_regclass: () => [{ there: true }],
  'max(number)': () => [{ newest: migrations.length }],
  'returning number': () => [{ number: 7 }],
  pg_try_advisory_lock: () => [{ taken: true }],
};

/** Answers each query by the first entry whose key is part of it; without one, by no rows. */
export function scriptDatabase(answers: Readonly<Record<string, Answer>> = {}): ScriptedDatabase {
  const asked: Asked[] = [];
  const opened: string[] = [];
  const clients = new Set<Opened>();
  const script = [...Object.entries(answers), ...Object.entries(usual)];

  async function query(sql: string, values: readonly unknown[] = []) {
    asked.push({ sql, values });
    const [, answer] = script.find(([part]) => sql.includes(part)) ?? [];
    const rows = (await answer?.(values)) ?? [];
    return { rows, rowCount: rows.length };
  }

  function noteAddress({ options }: Opened): void {
    const address = options?.connectionString ?? '';
    if (!opened.includes(address)) opened.push(address);
  }

  // oxlint-disable-next-line no-unsafe-type-assertion -- one overload of each method is called
  const driver = { pool: pg.Pool.prototype, client: pg.Client.prototype } as unknown as {
    readonly pool: Methods;
    readonly client: Methods;
  };
  const spies = [
    vi.spyOn(driver.pool, 'query').mockImplementation(function (this: Opened, sql, values) {
      noteAddress(this);
      return query(sql, values);
    }),
    vi.spyOn(driver.pool, 'connect').mockImplementation(async function (this: Opened) {
      noteAddress(this);
      return { query, release: () => undefined };
    }),
    vi.spyOn(driver.client, 'connect').mockImplementation(async function (this: Opened) {
      clients.add(this);
    }),
    vi.spyOn(driver.client, 'query').mockImplementation(query),
    vi.spyOn(driver.client, 'end').mockImplementation(async function (this: Opened) {
      clients.delete(this);
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return {
    asked,
    opened,
    breakConnections: () => [...clients].forEach((client) => client.emit?.('end')),
    openConnections: () => clients.size,
  };
}
