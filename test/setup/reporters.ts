import { join } from 'node:path';

type Reporter = 'default' | ['json', { outputFile: string }];

/** `.ci/run` sets TEST_REPORT_FOLDER and adds up the counts of every run that left a report there. */
export function reporters(): Reporter[] {
  const folder = process.env['TEST_REPORT_FOLDER'];
  if (folder === undefined) return ['default'];
  return ['default', ['json', { outputFile: join(folder, `${process.pid}.json`) }]];
}
