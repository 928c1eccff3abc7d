/** `collab engine`: the database in which several machines share their runs. */
import type { Command } from 'commander';
import { takesDuration } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { exitCodes } from '../exit-code.ts';
import { engineAddress, engineVariable } from './engine-address.ts';
import { addLimitsCommand } from './limits-command.ts';
import { renderJson } from '../../text/render-json.ts';

interface EngineFlags {
  readonly engine?: string;
  readonly json?: boolean;
}

interface CleanFlags extends EngineFlags {
  readonly olderThan: number;
}

const about = `
The database is a PostgreSQL, 15 or newer, and needs the package pg beside collab: npm install pg. Name it with --engine, or with ${engineVariable} if its
address has a password: other users of a machine see the arguments of a process.
`;
const day = 24 * 60 * 60 * 1000;

export function addEngineCommand({ root, run }: Program): void {
  const engine = root
    .command('engine')
    .description('set up and check the database of several machines')
    .addHelpText('after', about);
  addAction(engine, 'check', 'try whether the database can hold runs', (flags) =>
    run((session) => check(session, flags)),
  )
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  collab engine check --engine postgres://collab@localhost/collab\n`);
  addAction(engine, 'migrate', 'create the tables, or bring them up to date', (flags) =>
    run((session) => migrateTables(session, flags)),
  ).addHelpText('after', `\nExample:\n  collab engine migrate --engine postgres://collab@localhost/collab\n`);
  addAction(engine, 'clean', 'remove runs that ended long ago', (flags) =>
    run((session) => clean(session, flags)),
  )
    .option('--older-than <duration>', 'keep runs that ended later', takesDuration('--older-than'), 30 * day)
    .addHelpText(
      'after',
      `\nExample:\n  collab engine clean --older-than 720h --engine postgres://collab@localhost/collab\n`,
    );
  addLimitsCommand(addAction(engine, 'limits', 'show and set the shares of tenants'), { run });
}

function addAction(
  engine: Command,
  name: string,
  description: string,
  perform?: (flags: CleanFlags) => void,
): Command {
  const action = engine
    .command(name)
    .description(description)
    .option('--engine <address>', `choose the database (default: ${engineVariable})`);
  return perform === undefined ? action : action.action(perform);
}

async function check(session: Session, { engine, json = false }: EngineFlags): Promise<number> {
  const { probeDatabase } = await import('../../engine/postgres/probe.ts');
  const found = await probeDatabase(engineAddress(session, engine), session.clock);
  if (json) {
    session.out(renderJson(found));
    return exitCodes.passed;
  }
  const { server, version, durableMs, replyMs, runs, processes } = found;
  session.out(
    [
      `PostgreSQL ${server}, tables of version ${version}`,
      `a record is durable after ${durableMs.toFixed(1)} ms, another process has a reply after ${replyMs.toFixed(0)} ms`,
      `${runs} ${runs === 1 ? 'run' : 'runs'}, ${processes} ${processes === 1 ? 'process' : 'processes'} at work`,
      '',
    ].join('\n'),
  );
  return exitCodes.passed;
}

async function migrateTables(session: Session, { engine }: EngineFlags): Promise<number> {
  const { migrateDatabase } = await import('../../engine/postgres/migrate.ts');
  const applied = await migrateDatabase(engineAddress(session, engine));
  session.out(
    applied.length === 0 ? 'the tables are up to date\n' : `applied migrations: ${applied.join(', ')}\n`,
  );
  return exitCodes.passed;
}

async function clean(session: Session, { engine, olderThan }: CleanFlags): Promise<number> {
  const { cleanDatabase } = await import('../../engine/postgres/clean.ts');
  const { runs, processes } = await cleanDatabase(engineAddress(session, engine), olderThan);
  session.out(`removed ${runs} runs and ${processes} processes that are gone\n`);
  return exitCodes.passed;
}
