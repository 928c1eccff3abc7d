/** For watchers: whether the server runs, and whether its runs can be reached. */
import { Hono } from 'hono';
import { isDatabaseFault } from '../../errors/database-fault.ts';
import { problemOfError } from './problem.ts';
import type { ServerContext } from './server-context.ts';

interface HealthContext extends Pick<ServerContext, 'version' | 'onFault'> {
  readonly engine: Pick<ServerContext['engine'], 'ready'>;
}

/** Watchers ask every few seconds: a database that is out of reach is no news in the log each time. */
export function healthRoutes({ version, engine, onFault }: HealthContext): Hono {
  return new Hono()
    .get('/api/health', (context) => context.json({ status: 'ok', version }))
    .get('/api/ready', async (context) => {
      await engine.ready();
      return context.json({ status: 'ready', version });
    })
    .onError((error) => problemOfError(error, isDatabaseFault(error) ? () => undefined : onFault));
}
