import { expect, test } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { mostResults } from './sarif-report.ts';
import { runOf } from './sarif-report.test-helper.ts';

test('at most as many results as GitHub accepts are written, the worst first, with a note', () => {
  const many = Array.from({ length: mostResults + 2 }, (_, index) =>
    finding({ body: '', severity: index === 9 ? 'critical' : 'minor', identity: String(index) }),
  );
  const { results, invocations } = runOf(report({ findings: many }));
  expect(results).toHaveLength(mostResults);
  expect(results[0]).toMatchObject({ level: 'error' });
  expect(invocations[0].toolExecutionNotifications.at(-1)).toMatchObject({
    descriptor: { id: 'results_left_out' },
    level: 'error',
    message: { text: '2 findings left out: hosts take no more than 25,000' },
  });
});
