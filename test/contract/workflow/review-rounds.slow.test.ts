/** Review and implementation in turns: their ends, their reviewers, and the reported findings. */
import { expect, test } from 'vitest';
import { skillOf } from './rehearsed-workflow.ts';
import { allOf, play } from './play-workflow.ts';
import { advises, issue, review, rounds, scriptOf } from './workflow-script.ts';

const wrong = (line: string) => review(issue('Critical', `Wrong: ${line}`, line));
const fourRounds = ['0', '-1', '-2', '-3'].map((value, index) =>
  rounds(index + 1, `export const one = ${value};\n`),
);
const foundEach = ['0', '-1', '-2', '-3'].map((value, index) =>
  advises({ tag: '[REQUEST:REVIEW]', round: index + 1 }, wrong(`export const one = ${value};`)),
);

test('the round limit ends it with the remaining findings', async () => {
  const { phases, ended } = await play(scriptOf(...fourRounds, ...foundEach), {
    skill: skillOf(['implementation', 'review'], { review_rounds: 2 }),
  });
  expect(phases).toEqual([
    'implementation 1: settled',
    'review 1: 1 critical finding',
    'implementation 2: settled',
    'review 2: 1 critical finding',
  ]);
  expect(ended).toMatchObject({ outcome: 'findings' });
  expect(ended?.reasons.join()).toContain('2 rounds');
});

test('a recurring finding ends it: the fix did not help', async () => {
  const { phases, ended } = await play(
    scriptOf(
      rounds(1, 'export const one = 0;\n'),
      rounds(2, '// mended\nexport const one = 0;\n'),
      advises({ tag: '[REQUEST:REVIEW]' }, wrong('export const one = 0;'), { repeat: 'forever' }),
    ),
    { skill: skillOf(['implementation', 'review']) },
  );
  expect(phases).toHaveLength(4);
  expect(ended).toMatchObject({ outcome: 'findings' });
  expect(ended?.reasons.join()).toContain('did not help');
});

test('Important and Minor findings do not send the work back', async () => {
  const { phases, ended } = await play(
    scriptOf(
      rounds(1, 'export const one = 1;\n'),
      advises({ tag: '[REQUEST:REVIEW]' }, review(issue('Minor', 'No comment', 'export const one = 1;'))),
    ),
    { skill: skillOf(['implementation', 'review']) },
  );
  expect(phases).toEqual(['implementation 1: settled', 'review 1: no critical finding']);
  expect(ended).toMatchObject({ outcome: 'findings' });
});

test('a second review opens a session that has not proposed the fix', async () => {
  const { events } = await play(scriptOf(...fourRounds, ...foundEach.slice(0, 1)), {
    skill: skillOf(['implementation', 'review']),
  });
  const sessions = allOf(events, 'session.bound')
    .filter(({ agent }) => agent.role === 'advisor')
    .map(({ provider_session_id: session }) => session);
  expect(sessions).toHaveLength(2);
  expect(new Set(sessions).size).toBe(2);
});

test('a finding on lines that the last fix wrote is marked as caused by it', async () => {
  const { result } = await play(
    scriptOf(
      rounds(1, 'export const one = 0;\nexport const two = 0;\n'),
      rounds(2, 'export const one = -1;\nexport const two = 0;\n'),
      advises({ tag: '[REQUEST:REVIEW]', round: 1 }, wrong('export const one = 0;')),
      advises(
        { tag: '[REQUEST:REVIEW]', round: 2 },
        review(
          `${issue('Important', 'Less than nothing', 'export const one = -1;')}\n${issue('Minor', 'Still zero', 'export const two = 0;')}`,
        ),
      ),
    ),
    { skill: skillOf(['implementation', 'review']) },
  );
  expect(result['findings']).toMatchObject([
    { title: 'Less than nothing', caused_by_fix: true },
    expect.not.objectContaining({ caused_by_fix: true }),
  ]);
});

test('files that the user’s own .gitattributes mark as generated are skipped; those that the lead marks are reviewed', async () => {
  const edits = ['gen/a.js', 'src/one.js'].map((path) => ({ path, content: 'export const one = 1;\n' }));
  const hiding = { path: '.gitattributes', content: '* linguist-generated\n' };
  const { events, phases } = await play(
    scriptOf(
      rounds(1, '', { edits: [...edits, hiding] }),
      advises({ tag: '[REQUEST:REVIEW]' }, review('None'), { repeat: 'forever' }),
    ),
    {
      skill: skillOf(['implementation', 'review']),
      files: { 'README.md': '# one\n', '.gitattributes': 'gen/** linguist-generated\n' },
    },
  );
  expect(phases.at(-1)).toBe('review 1: no critical finding');
  const [planned] = allOf(events, 'review.planned');
  expect(planned?.skipped.map(({ path }) => path)).toEqual(['gen/a.js']);
  expect(planned?.chunks.flatMap(({ paths }) => paths)).toEqual(['.gitattributes', 'src/one.js']);
});

/** One template literal of 300 calls, all of them text. A hunk of its middle looks like code. */
function page(changed: string): string {
  const rows = Array.from({ length: 300 }, (_, row) => (row === 150 ? changed : 'first(n);'));
  return `export const page = \`\n${rows.join('\n')}\n\`;\n`;
}

test('the rules read the whole files of the copy: a call in a long template literal is text', async () => {
  const { phases, result } = await play(
    scriptOf(
      rounds(1, page('eval(text);')),
      advises({ tag: '[REQUEST:REVIEW]' }, review('None'), { repeat: 'forever' }),
    ),
    {
      skill: skillOf(['implementation', 'review'], { review_rounds: 1 }),
      files: { 'src/one.js': page('first(n);') },
      settings: { context: 'diff' },
    },
  );
  expect(phases).toEqual(['implementation 1: settled', 'review 1: no critical finding']);
  expect(result['findings']).toEqual([]);
});
