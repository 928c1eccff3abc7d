/** `collab worker`: drives the runs that others submit to a database, on any number of machines. */
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { submittedKinds, type SubmittedKind } from '../../runs/engine/submitted-kinds.ts';
import type { WorkerNews } from '../../runs/engine/worker.ts';
import type { FlagText } from '../../config/flag-text.ts';
import { heartbeatMs } from '../../views/screen/heartbeat.ts';
import { engineAddress, engineVariable } from './engine-address.ts';
import { exitCodes } from '../exit-code.ts';
import { takes, takesDuration } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import { createServiceLog, logOption, type LogFormat } from '../service-log.ts';
import type { Session } from '../session.ts';

interface WorkerFlags {
  readonly engine?: string;
  readonly runs: number;
  readonly kinds: readonly SubmittedKind[];
  readonly providers?: readonly string[];
  readonly grace: number;
  readonly log: LogFormat;
}

const examples = `
Examples:
  collab worker --engine postgres://collab@db.example.com/collab
  ${engineVariable}=postgres://… collab worker --runs 4 --providers codex,static_review

On SIGTERM or Ctrl-C a worker takes no more runs and ends when its own have ended; after --grace it returns them to the queue. The runs of
a worker that dies are taken over by others.

Exit codes: 0 stopped in order, 2 usage, 4 the database was out of reach for too long: start the worker again
`;

const minute = 60_000;

export function addWorkerCommand({ root, run }: Program): void {
  root
    .command('worker')
    .description('drive the runs that are submitted to a database')
    .option('--engine <address>', `choose the database (default: ${engineVariable})`)
    .option('--runs <n>', 'drive at most so many runs at once', takes('--runs', runsText), 1)
    .option('--kinds <list>', 'take only these kinds of runs', takes('--kinds', kindsText), submittedKinds)
    .option('--providers <list>', 'take only runs that ask no other providers', names)
    .option(
      '--grace <duration>',
      'return its runs to the queue so long after SIGTERM',
      takesDuration('--grace'),
      10 * minute,
    )
    .addOption(logOption())
    .addHelpText('after', examples)
    .action((flags: WorkerFlags) => {
      run((session) => startWorker(session, flags));
    });
}

const mostRuns = 64;

const runsText: FlagText<number> = {
  name: 'n',
  wants: `a number from 1 to ${mostRuns}`,
  hint: 'for example --runs 4',
  parse: (text: string) => {
    const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
    return count >= 1 && count <= mostRuns ? count : null;
  },
};

const kindsText: FlagText<readonly SubmittedKind[]> = {
  name: 'list',
  wants: `kinds of runs: ${submittedKinds.join(', ')}`,
  hint: 'for example --kinds review,consult',
  parse(text) {
    const named = names(text);
    const known = submittedKinds.filter((kind) => named.includes(kind));
    return named.length > 0 && known.length === new Set(named).size ? known : null;
  },
};

function names(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

async function startWorker(session: Session, flags: WorkerFlags): Promise<number> {
  const address = engineAddress(session, flags.engine);
  const [{ openDatabaseEngine }, { work }, { loadConfig }, { flattenProviderSettings }] = await Promise.all([
    import('../../runs/engine/database-engine.ts'),
    import('../../runs/engine/worker.ts'),
    import('../../config/load-config.ts'),
    import('../../runs/agents/advisor-question.ts'),
  ]);
  const { config } = await loadConfig(session);
  const engine = await openDatabaseEngine(address, { ...session, migrates: true });
  const { process: number } = engine.store;
  const driving = new Set<string>();
  const log = createServiceLog(session, flags.log, {
    always: { worker: number },
    prefix: `worker ${number}: `,
  });
  const say = (event: string, message: string, run?: string): void =>
    log.say({ event, message, ...(run === undefined ? {} : { run }) });
  const count = (): string => `drives ${driving.size} of ${flags.runs} runs`;
  const stop = new AbortController();
  const over = new AbortController();
  session.signal.addEventListener('abort', () => {
    say('worker_drains', `takes no more runs, and ${count()}`);
    void delay(flags.grace, undefined, { signal: over.signal, ref: false }).then(
      () => stop.abort(),
      () => undefined,
    );
  });
  const pulse = setInterval(() => say('worker_alive', count()), heartbeatMs);
  try {
    say('worker_ready', `is ready on ${hostname()} (process ${process.pid}), and ${count()}`);
    const how = await work({
      ...session,
      ...flags,
      engine,
      providers: flags.providers ?? null,
      providerSettings: flattenProviderSettings(config.providers),
      drain: session.signal,
      stop: stop.signal,
      onNews: (news) => {
        if (news.kind === 'taken') driving.add(news.runId);
        else driving.delete(news.runId);
        say(`run_${news.kind}`, tell(news), news.runId);
      },
    });
    if (how === 'drained') say('worker_stopped', 'has stopped');
    else
      log.say({
        event: 'database_lost',
        level: 'error',
        message: 'has lost the database: others drive its runs',
      });
    return how === 'drained' ? exitCodes.passed : exitCodes.failed;
  } finally {
    clearInterval(pulse);
    over.abort();
    await engine.close();
  }
}

function tell(news: WorkerNews): string {
  if (news.kind === 'taken') return `takes ${news.again ? 'over ' : ''}${news.runId}`;
  return `${news.runId} ${news.how}`;
}
