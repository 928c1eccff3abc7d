import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { readResultFile, readReviewResultFile } from './named-result.ts';

test.each([
  ['{"schema":"collab.review/v9"}', /has another version: collab\.review\/v9$/],
  ['{"schema":"collab.review/v1"}', /is not a result of collab: \w/],
  ['{"schema":"other/v1"}', /is not a result of collab: /],
  ['[]', /is not a result of collab: the file: /],
])('the file %j is refused with its fault', (text, message) => {
  const file = join(scratchFolder(), 'result.json');
  writeFileSync(file, text);
  for (const read of [readResultFile, readReviewResultFile]) {
    expect(() => read(file)).toThrow(
      expect.objectContaining({ code: 'result_file', message: expect.stringMatching(message) }),
    );
  }
});

test('a file that is missing is refused with what to name', () => {
  expect(() => readResultFile(join(scratchFolder(), 'none.json'))).toThrow(
    expect.objectContaining({ code: 'result_file', hint: expect.stringContaining('result.json of a run') }),
  );
});
