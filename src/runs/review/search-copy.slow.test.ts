import { expect, test } from 'vitest';
import { answer, strengths, suggestions } from '../../../test/fixtures/review-answers.ts';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { checkLaws } from '../../events/laws.ts';
import { rehearse, settledResult } from '../rehearsed-review.test-helper.ts';

const lines = Array.from({ length: 40 }, (_, index) => `export const value${index + 1} = ${index + 1};`);

function item(title: string, place: string, quote: string): string {
  return `1. **${title}** — \`${place}\`\n   \`\`\`\n   ${quote}\n   \`\`\`\n   Why: it is wrong.\n`;
}

const issues = [
  item('Far away', 'src/values.ts:30', 'export const value30 = 30;'),
  item('In the caller', 'src/caller.ts', "call('now');"),
  item('Altered', 'src/caller.ts:1', "call('then');"),
  item('Outside the repository', '../../etc/passwd', 'root'),
].join('\n');

test('quotations outside the hunks are placed in the reviewed state of their files', async () => {
  const repository = scratchRepository();
  repository.write('src/values.ts', `${lines.join('\n')}\n`);
  repository.write('src/caller.ts', "// calls\ncall('now');\n");
  repository.commit('before');
  repository.write('src/values.ts', `${lines.with(0, 'export const value1 = 0;').join('\n')}\n`);
  repository.commit('after');
  const text = answer(strengths, `## ISSUES\n### Minor\n${issues}\n`, suggestions);
  const review = await rehearse({
    repository,
    lead: 'rehearsal:script.yaml',
    turns: [{ when: { role: 'advisor' }, answer: text }],
  });
  const { findings } = settledResult(await review.drive());
  expect(
    Object.fromEntries(
      findings.map(({ title, path, side, start_line, placement, outside_change }) => [
        title,
        [path, side, start_line, placement, outside_change],
      ]),
    ),
  ).toEqual({
    'Far away': ['src/values.ts', 'new', 30, 'exact', undefined],
    'In the caller': ['src/caller.ts', 'new', 2, 'exact', true],
    Altered: ['src/caller.ts', null, null, 'unplaced', true],
    'Outside the repository': [null, null, null, 'unplaced', true],
  });
  expect(checkLaws(review.journal())).toEqual([]);
});
