/** Three installed workers and two servers on a database, each with a folder and a way to the database of its own. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Place } from '../packed/place.ts';
import type { StartedCommand } from '../packed/started-command.ts';
import { startDatabaseWay, type DatabaseWay } from '../fixtures/database-way.ts';

/** One process of the fleet; a killed one is started again under the same name. */
export interface Member {
  readonly name: string;
  readonly folder: string;
  readonly way: DatabaseWay;
  process(): StartedCommand;
  /** The standard error of this process and of those before it. */
  log(): string;
  /** Starts the process, or another one after its end, and resolves when it is ready. */
  start(): Promise<void>;
}

export interface ServerMember extends Member {
  /** `http://127.0.0.1:40123`; stays over a restart. */
  readonly url: () => string;
}

export interface Fleet {
  readonly workers: readonly Member[];
  readonly servers: readonly ServerMember[];
  readonly members: readonly Member[];
  /** Copies a script into the folder of each member. */
  hand(script: string): void;
  /** The calls that all workers began for the run of a script. */
  calls(script: string): readonly string[];
  /** Stops all members in order; returns their exit codes. */
  stop(): Promise<Readonly<Record<string, number | null>>>;
}

export interface FleetOptions {
  readonly place: Place;
  readonly database: string;
  readonly workers: number;
  readonly servers: number;
  /** `collab.config.yaml` of each server. */
  readonly config: string;
}

export async function startFleet({ place, database, config, ...size }: FleetOptions): Promise<Fleet> {
  const workers = await Promise.all(
    namesOf('worker', size.workers).map((name) => createWorker(place, database, name)),
  );
  const servers = await Promise.all(
    namesOf('server', size.servers).map((name) => createServer(place, database, name)),
  );
  const members = [...workers, ...servers];
  for (const { folder } of servers) writeFileSync(join(folder, 'collab.config.yaml'), config);
  // A worker creates the tables; a server expects them.
  await Promise.all(workers.map((worker) => worker.start()));
  await Promise.all(servers.map((server) => server.start()));
  return {
    workers,
    servers,
    members,
    hand(script) {
      for (const { folder } of members) copyFileSync(join(place.folder, script), join(folder, script));
    },
    calls: (script) => workers.flatMap((worker) => callsOf(worker, script)),
    async stop() {
      for (const member of members) member.process().kill('SIGTERM');
      const ends = await Promise.all(
        members.map(async (member) => [member.name, (await member.process().ended).code] as const),
      );
      await Promise.all(members.map(({ way }) => way.close()));
      return Object.fromEntries(ends);
    },
  };
}

/** The calls that a worker began for the run of a script, in order. */
export function callsOf({ folder }: Member, script: string): readonly string[] {
  const log = join(folder, `${script}.log`);
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('begin ') ? [line.slice('begin '.length)] : []));
}

function namesOf(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${kind}-${index + 1}`);
}

function createWorker(place: Place, database: string, name: string): Promise<Member> {
  return createMember(place, database, {
    name,
    args: () => ['worker', '--runs', '3'],
    isReady: (process) => process.stderr().includes('is ready'),
  });
}

const addressSchema = z.object({ url: z.url() });

async function createServer(place: Place, database: string, name: string): Promise<ServerMember> {
  let port = '0';
  const member = await createMember(place, database, {
    name,
    args: () => ['serve', '--remote', '--port', port, '--json'],
    isReady: (process) => process.stdout().includes('\n'),
  });
  const url = (): string => addressSchema.parse(JSON.parse(member.process().stdout())).url;
  return {
    ...member,
    url: () => `http://127.0.0.1:${port}`,
    async start() {
      await member.start();
      ({ port } = new URL(url()));
    },
  };
}

interface MemberOptions {
  readonly name: string;
  readonly args: () => readonly string[];
  readonly isReady: (process: StartedCommand) => boolean;
}

async function createMember(
  place: Place,
  database: string,
  { name, args, isReady }: MemberOptions,
): Promise<Member> {
  const folder = join(place.folder, name);
  mkdirSync(folder);
  const way = await startDatabaseWay(database, join(place.folder, `${name}.way`));
  const processes: StartedCommand[] = [];
  const log = (): string => processes.map((one) => one.stderr()).join('');
  return {
    name,
    folder,
    way,
    log,
    process() {
      const process = processes.at(-1);
      if (process === undefined) throw new Error(`${name} was not started`);
      return process;
    },
    async start() {
      const process = place.start(args(), { cwd: folder, env: { COLLAB_ENGINE: way.address } });
      processes.push(process);
      await expect.poll(() => isReady(process), { timeout: 60_000, message: `${name} is ready` }).toBe(true);
    },
  };
}
