import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { Deferred } from '../../system/deferred.ts';
import { createAnsweringService } from './owner-requests.ts';

test('a request is answered once, also if a look that began before the reply ends after it', async () => {
  const rows = [{ id: '1', run_id: 'run', body: JSON.stringify({ type: 'cancel' }) }];
  const late = new Deferred<object>();
  const looks = [Promise.resolve({ rows }), late.promise];
  const query = (sql: string) => (sql.startsWith('select') ? looks.shift() : Promise.resolve({ rows: [] }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  const pool = { query } as unknown as Pick<Pool, 'query'>;
  let handled = 0;
  const service = createAnsweringService(pool, 7, () => () => {
    handled += 1;
    return Promise.resolve({ ok: true, state: 'running' });
  });
  const [first, second] = [service.answerAll(), service.answerAll()];
  await first;
  late.resolve({ rows });
  await second;
  expect(handled).toBe(1);
});
