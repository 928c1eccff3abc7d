/** Builds a server, and keeps it until a signal ends it. */
import { join } from 'node:path';
import type { Settings } from '../../config/settings-table.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { openConversations } from '../../server/conversations/conversations.ts';
import { grantsWithoutUse, openAccess } from '../../server/access/open-access.ts';
import { startHttpServer, type RunningServer } from '../../server/start-server.ts';
import type { ProviderEnvironment } from '../../providers/contract/contract.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { packageFolder } from '../../system/package-folder.ts';
import { unheldTools } from '../../runs/agents/model-lead-tools.ts';
import { openKnownModels } from '../../runs/agents/known-models.ts';
import type { DatabaseEngine } from '../../runs/engine/database-engine.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { engineAddress } from '../engine/engine-address.ts';
import { isRemote } from '../engine/remote-flags.ts';
import type { Program } from '../program.ts';
import { refuseWrongChoices } from './serve-choices.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import { exitCodeOfEnd, keepServer } from './keep-server.ts';
import { openServedLead } from './serve-lead.ts';
import { ownFiles } from './tenant-tools.ts';
import { readStartLine } from './read-start-line.ts';
import { readStandingFiles } from '../../runs/start/standing-files.ts';
import { probeAgents } from '../../server/runs/probed-agents.ts';
import { listedProviders } from '../../server/runs/served-place.ts';
import { startServed, submitServed } from '../../server/runs/start-served.ts';
import { createServiceLog, type ServiceLog } from '../service-log.ts';
import type { Session } from '../session.ts';
import { fileFaultOf } from '../../system/files/fault.ts';
import { untilAborted } from '../../system/until-aborted.ts';
import { version } from '../../version.ts';
import { renderJsonLine } from '../../text/render-json.ts';

export async function serve(session: Session, flags: ServeFlags, read: Program['read']): Promise<number> {
  if (isRemote(flags)) return serveDatabase(session, flags, read);
  const [server, unheld] = await Promise.all([openServer(session, flags, read), unheldTools()]);
  // A server has no terminal to ask at.
  if (unheld !== null)
    logOf(session, flags).say({
      event: 'no_bash',
      level: 'warn',
      message: `${unheld.why}: no one gets Bash from this server`,
    });
  return keepServer(session, server, () => tellAddress(session, flags, server));
}

function tellAddress(session: Session, flags: ServeFlags, { url }: RunningServer): void {
  session.out(flags.json === true ? renderJsonLine({ url }) : `collab serves at ${url}\n`);
}

/** `collab open` does not find this server: the runs of the folder are not its own. */
async function serveDatabase(session: Session, flags: ServeFlags, read: Program['read']): Promise<number> {
  const address = engineAddress(session, flags.engine);
  const log = logOf(session, flags);
  const { openLastingEngine } = await import('../../runs/engine/lasting-engine.ts');
  const database = await openLastingEngine(address, {
    ...session,
    migrates: true,
    onNews: (news) =>
      log.say(
        news === 'lost'
          ? { event: 'database_lost', level: 'warn', message: 'the database is out of reach' }
          : { event: 'database_back', message: 'the database is back' },
      ),
    onFault: (error) => tellFault(log, error),
  });
  try {
    const server = await openServer(session, flags, read, database);
    tellAddress(session, flags, server);
    await untilAborted(session.signal);
    await server.stop();
    return exitCodeOfEnd(session);
  } finally {
    await database.close();
  }
}

/** The caller stops it. */
export async function openServer(
  session: Session,
  flags: ServeFlags,
  read: Program['read'],
  database?: DatabaseEngine,
): Promise<RunningServer> {
  const { clock, env } = session;
  const log = logOf(session, flags);
  const home = collabHome(session);
  const { loaded } = await readStandingFiles(session, { flags, change: null, reviews: false });
  await refuseWrongChoices(session, loaded.config, flags);
  const { stream_limit_seconds: limit } = loaded.config;
  const access = openAccess({
    home,
    env,
    clock,
    host: flags.host,
    allowHosts: flags.allowHost ?? [],
    allowOrigins: flags.allowOrigin ?? [],
    requireToken: flags.requireToken === true,
    providers: listedProviders(loaded.config, flags),
  });
  const unusable = grantsWithoutUse(access);
  if (unusable !== null) log.say({ event: 'grants_without_use', level: 'warn', message: unusable });
  return startHttpServer({
    host: flags.host,
    port: flags.port,
    version,
    access,
    ownFiles: ownFiles(loaded, { session, flags }),
    database,
    // The conversations in the folder are not those of a database.
    conversations: openConversations(database === undefined ? home : join(home, 'engine'), clock),
    ports: {
      readLine: (words) => readStartLine(words, read),
      startRun(call) {
        const starting = { served: session, choices: flags, signal: session.signal };
        return database === undefined ? startServed(call, starting) : submitServed(call, starting, database);
      },
      openLead: (call) => openServedLead(call, { session, flags }),
      probeAgents: (signal) => probeAgents(environmentOf(session, loaded.config, signal)),
    },
    cwd: session.cwd,
    turnLimitMs: limit === null ? null : limit * 1000,
    sendsMessages: flags.messages !== false,
    pageFolder: join(packageFolder(), 'dist/web'),
    env,
    clock,
    projection: {
      language: flags.language?.startsWith('en') === true ? 'en' : 'ja',
      ...openKnownModels(),
    },
    onFault: (error) => tellFault(log, error),
    onNews: ({ kind, runId: run, tenant }) =>
      log.record({
        event: `run_${kind}`,
        level: kind === 'failed' ? 'error' : 'info',
        run,
        tenant,
        message: `${run} is ${kind}`,
      }),
  });
}

function logOf(session: Session, { log = 'text' }: Pick<ServeFlags, 'log'>): ServiceLog {
  return createServiceLog(session, log, { prefix: 'collab: ' });
}

function environmentOf({ cwd, env }: Session, config: Settings, signal: AbortSignal): ProviderEnvironment {
  const settings = flattenProviderSettings(config.providers);
  return { env: { ...env, CLAUDECODE: undefined }, cwd, settings, signal };
}

function tellFault(log: ServiceLog, error: unknown): void {
  const told = error instanceof CollabError ? error : fileFaultOf(error);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.say({
    event: 'fault',
    level: 'error',
    message: told?.message ?? text,
    ...(typeof told?.hint === 'string' ? { hint: told.hint } : {}),
  });
}
