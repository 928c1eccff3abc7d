import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { databasePart } from '../../errors/database-fault.ts';
import { healthRoutes } from './health-routes.ts';

test.each([
  [
    'a database that is out of reach',
    new CollabError('network', 'out of reach', { details: databasePart }),
    503,
    0,
  ],
  ['any other fault', new Error('a bug'), 500, 1],
])(
  'a server that is not ready for %s answers so, and logs only what is news',
  async (_, fault, status, logged) => {
    const faults: unknown[] = [];
    const engine = { ready: () => Promise.reject(fault) };
    const routes = healthRoutes({ version: '1.2.3', engine, onFault: (error) => void faults.push(error) });
    for (let times = 0; times < 2; times += 1)
      expect((await routes.request('/api/ready')).status).toBe(status);
    expect(faults).toHaveLength(2 * logged);
    expect((await routes.request('/api/health')).status).toBe(200);
  },
);
