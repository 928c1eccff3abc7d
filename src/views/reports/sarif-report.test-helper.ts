import { z } from 'zod';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderSarifReport } from './sarif-report.ts';

const anything = z.array(z.looseObject({}));
const schema = z.object({
  runs: z.tuple([
    z.looseObject({
      tool: z.object({ driver: z.looseObject({ rules: anything, notifications: anything }) }),
      invocations: z.tuple([z.looseObject({ toolExecutionNotifications: anything })]),
      results: anything,
    }),
  ]),
});

export function runOf(result: ReviewResult) {
  return schema.parse(JSON.parse(renderSarifReport(result))).runs[0];
}
