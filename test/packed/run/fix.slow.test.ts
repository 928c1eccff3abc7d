/** `collab fix` through the installed command: a review, the fix of one of its findings, the patch, the apply. */
import { advises, issue, leads, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { answer, pair, project } from '../run-project.ts';
import { test, type Place } from '../place.ts';

const lines = ['export const one = 0;', 'export const two = 3;'];

/** A repository with a change of two faulty lines, and the flags of a pair that finds, fixes and refuses. */
function faulty(place: Place): readonly string[] {
  project(place);
  place.write('src/one.js', `${lines.join('\n')}\n`);
  const found = lines.map((line, index) =>
    issue(index === 0 ? 'Critical' : 'Important', `line ${index + 1}`, line),
  );
  return pair(
    place,
    scriptOf(
      advises(
        { tag: '[REQUEST:REVIEW]', contains: 'Findings that the change is meant to fix' },
        review('None'),
        {
          repeat: 'forever',
        },
      ),
      advises({ tag: '[REQUEST:REVIEW]' }, review(found.join('\n'))),
      leads({ work: 'implement' }, 'F1: fixed\nF2: refused: two is three here.\n', {
        edits: [{ path: 'src/one.js', content: `export const one = 1;\n${lines[1]}\n` }],
      }),
    ),
  );
}

test('a finding is fixed in a copy, reviewed again, shown as a patch and applied', async ({
  place,
  expect,
}) => {
  const agents = faulty(place);
  const reviewed = await place.collab(['review', '--effort', 'quick', ...agents.slice(2)]);
  expect(reviewed.code).toBe(1);
  const [run = ''] = place.runs().map((path) => path.split('/').at(-1) ?? '');
  const asked = await place.collab(['fix', '1', '2', '--result', '../fix.json', ...agents]);
  expect(asked.code).toBe(10);
  expect(asked.stderr).toMatch(
    /^\.\.\/fix\.json is not written: .* has not ended; with --yes no gate waits/m,
  );
  expect(() => place.read('../fix.json')).toThrow('ENOENT');
  expect(asked.stdout).toContain('-export const one = 0;\n+export const one = 1;\n');
  expect(place.read('src/one.js')).toContain('one = 0');
  const ended = await answer(place, 'apply');
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toContain('F1 fixed: line 1');
  expect(ended.stdout).toContain('F2 refused: line 2');
  expect(place.read('src/one.js')).toBe(`export const one = 1;\n${lines[1]}\n`);
  expect(place.git('branch', '--list', 'collab/*')).toBe('');
  const { stdout } = await place.collab(['show', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ input: { kind: 'fix' }, fix: { run } });
  expect((await place.collab(['check'])).code).toBe(0);
}, 180_000);

test('a fix without a finding, or with one that does not exist, is refused and starts nothing', async ({
  place,
  expect,
}) => {
  const agents = faulty(place);
  expect(await place.collab(['fix', '1', ...agents])).toMatchObject({ code: 2 });
  await place.collab(['review', '--effort', 'quick', ...agents.slice(2)]);
  const none = await place.collab(['fix', ...agents]);
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toMatch(
    /^collab: no finding is named\n {2}Name findings of .*: F1 critical src\/one\.js:1, F2 important/,
  );
  expect(await place.collab(['fix', 'latest', '7', ...agents])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no finding "7"'),
  });
  expect(place.runs()).toHaveLength(1);
}, 180_000);

test('a finding of a saved result is fixed; the result has the commit, the fate and the patch as data', async ({
  place,
  expect,
}) => {
  const agents = faulty(place);
  await place.collab(['review', '--effort', 'quick', ...agents.slice(2), '--report', 'json=../review.json']);
  place.git('add', '--all');
  place.git('commit', '--quiet', '--message', 'the change');
  const head = place.git('rev-parse', 'HEAD').trim();
  const args = ['fix', '--from', '../review.json', '1', '2', '--yes', '--result', '../fix.json', ...agents];
  expect(await place.collab(args)).toMatchObject({ code: 0 });
  expect(JSON.parse(place.read('../fix.json'))).toMatchObject({
    schema: 'collab.fix/v1',
    head,
    findings: [
      { id: 'F1', fate: 'fixed', reason: null },
      { id: 'F2', fate: 'refused', reason: expect.stringContaining('two is three here') },
    ],
    patch: expect.stringContaining('-export const one = 0;\n+export const one = 1;\n'),
  });
  expect(place.read('src/one.js')).toContain('one = 0');
  expect(await place.collab(['fix', '--from', '../none.json', '1', ...agents])).toMatchObject({ code: 2 });
  expect(await place.collab(['fix', 'latest', '1', '--from', '../review.json', ...agents])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('two sources of findings'),
  });
}, 180_000);
