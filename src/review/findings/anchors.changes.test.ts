import { expect, test } from 'vitest';
import { releaseDifferences } from '../../../test/changes/differences.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { isSame, passagesOf, placeOf } from './passages.test-helper.ts';

test.each([...releaseDifferences()])(
  'any 1 to 3 lines of $name, quoted with their number, are placed on exactly these lines',
  ({ diff }) => {
    const { files } = parseUnifiedDiff(diff);
    const passages = passagesOf(files);
    const wrong = passages.filter((passage) => !isSame(placeOf(passage, files), passage));
    expect(wrong.map(({ file, lines }) => `${file.path}:${lines[0]?.newLine} +${lines.length}`)).toEqual([]);
  },
);
