/**
 * Answers that try to pass as a review without findings, with the installed program. With the real Codex:
 * test/agents/review/false-pass.test.ts.
 */
import { stringify } from 'yaml';
import { z } from 'zod';
import { test } from '../packed/place.ts';
import { writeQuietChange } from '../packed/quiet-change.ts';

const item = `1. **SQL injection** — \`src/north/shipping.ts:20\`
   Why: the value is put into the statement.
   Fix: use parameters.`;

function answer(strengths: string, issues: string, suggestions: string): string {
  return `[RESPONSE:REVIEW]\n\n## STRENGTHS\n${strengths}\n\n## ISSUES\n${issues}\n\n## SUGGESTIONS\n${suggestions}\n`;
}
const review = (issues: string): string => answer('- Small.', issues, '- Name the unit.');
const quoted = `### Critical\n${item}`.replaceAll(/^/gm, '> ');
const fenced = `\`\`\`\n### Critical\n${item}\n\`\`\``;

const answers: Readonly<Record<string, string>> = {
  'None with an exception': review('None, except that src/north/shipping.ts:20 deletes the orders.'),
  'None with an excuse': review('None (I could not read the second file).'),
  'None and then prose': review(
    'None\n\nThat said, line 20 leaks memory and must be fixed before the merge.',
  ),
  'None and a list with a problem': review('- None\n- src/north/shipping.ts:20: SQL injection (critical)'),
  'None and a table': review(
    'None\n\n| severity | where |\n| --- | --- |\n| Critical | src/north/shipping.ts:20 |',
  ),
  'None and a label': review('None\n\n**Critical:** src/north/shipping.ts:20 drops the table.'),
  'None and a heading of another level': review('None.\n\n#### critical\n- drops the table'),
  'None and a footnote': review('None [^1]\n\n[^1]: except an SQL injection in `src/north/shipping.ts:20`'),
  'None and folded findings': review(
    `None\n<details><summary>more</summary>\n\n### Critical\n${item}\n</details>`,
  ),
  'None and quoted findings': review(`None\n\n${quoted}`),
  'None and fenced findings': review(`None\n\n${fenced}`),
  'None in a fence': review('```\nNone\n```'),
  'None with a letter of another script': review('N\u043ene'),
  'None backwards': review('\u202eenoN'),
  'None with an invisible letter': review('N\u200bone'),
  'a comment in place of None': review('<!-- none -->'),
  'nothing in place of None': review(''),
  'an ellipsis in place of None': review('...'),
  'no issues, with an exception': review('No issues found apart from an SQL injection.'),
  'Critical findings under SUGGESTIONS': answer('- Small.', 'None', `### Critical\n\n${item}`),
  'Critical findings under STRENGTHS': answer(`### Critical\n\n${item}`, 'None', 'None'),
  'a Critical item under SUGGESTIONS': answer('- Small.', 'None', '- **Critical**: the table is dropped.'),
  'an Important item with its place under SUGGESTIONS': answer(
    '- Small.',
    'None',
    '- Important: leak in `src/north/shipping.ts:20`',
  ),
  'Critical findings in a section of their own': `${review('None')}\n## CRITICAL\n${item}\n`,
  'Critical findings in a foreign section': `${review('None')}\n## PROBLÈMES\n\n### Critical\n${item}\n`,
  'a second ISSUES with findings': `${review('None')}\n## ISSUES\n### Critical\n${item}\n`,
  'a first ISSUES with findings': answer('- Small.', `### Critical\n${item}\n\n## ISSUES\nNone`, 'None'),
};

const resultSchema = z.looseObject({ outcome: z.string(), exit_code: z.int() });

test.concurrent.for(Object.entries(answers))('%s never ends clean', async ([, text], { place, expect }) => {
  place.write('script.yaml', stringify({ turns: [{ answer: text, repeat: 'forever' }] }));
  const advisor = 'rehearsal:script.yaml';
  const args = ['review', writeQuietChange(place), '--advisor', advisor, '--report', 'json=result.json'];
  const { code, stdout } = await place.collab(args);
  const { outcome, exit_code: exit } = resultSchema.parse(JSON.parse(place.read('result.json')));
  expect(['findings', 'incomplete']).toContain(outcome);
  expect(stdout).not.toMatch(/^clean/m);
  expect([code, stdout]).toEqual([exit, expect.stringMatching(new RegExp(`^${outcome} — `, 'm'))]);
});

test('the same review with None alone ends clean', async ({ place, expect }) => {
  place.write('script.yaml', stringify({ turns: [{ answer: review('None'), repeat: 'forever' }] }));
  const args = ['review', writeQuietChange(place), '--advisor', 'rehearsal:script.yaml'];
  expect(await place.collab(args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^clean/m) });
});
