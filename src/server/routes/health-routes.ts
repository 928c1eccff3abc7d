import { Hono } from 'hono';
import type { ServerContext } from './server-context.ts';

export function healthRoutes({ version }: Pick<ServerContext, 'version'>): Hono {
  return new Hono().get('/api/health', (context) => context.json({ status: 'ok', version }));
}
