/** Dismissals through the installed command: what they write, what counts afterwards, and what is refused. */
import { describe } from 'vitest';
import { z } from 'zod';
import { test, type Place } from '../place.ts';

const resultSchema = z.looseObject({
  outcome: z.string(),
  findings: z.array(
    z.looseObject({
      id: z.string(),
      severity: z.string(),
      title: z.string(),
      suppressed: z.unknown().optional(),
    }),
  ),
});
const flags = [
  '--base',
  'main',
  '--advisor',
  'static_review',
  '--rules',
  'all',
  '--report',
  'json=result.json',
];

async function review(place: Place, ...more: readonly string[]) {
  const { code, stdout } = await place.collab(['review', ...flags, ...more]);
  return { code, stdout, result: resultSchema.parse(JSON.parse(place.read('result.json'))) };
}

/** Each test calls the command many times. */
const patient = { timeout: 180_000 };

/** A branch with one Important finding and one Critical one. */
function begin(place: Place): void {
  place.git('init', '-q', '-b', 'main');
  place.write('.gitignore', 'result.json\n');
  place.write('collab.config.yaml', 'suppressions: collab.suppressions.yaml\n');
  commit(place, 'base');
  place.git('checkout', '-qb', 'topic');
  const lines = ['export function pay(input) {', '  debugger;', '  return eval(input);', '}'];
  place.write('src/pay.js', `${lines.join('\n')}\n`);
  commit(place, 'pay');
}

function commit(place: Place, message: string): void {
  place.git('add', '-A');
  place.git('commit', '-qm', message);
}

describe.concurrent('dismissals', () => {
  test(
    'a dismissed finding does not count once it is in the base; a Critical one is refused',
    patient,
    async ({ place, expect }) => {
      begin(place);
      const first = await review(place);
      const [critical, other] = ['critical', 'important'].map((severity) =>
        first.result.findings.find((finding) => finding.severity === severity),
      );
      expect(first.stdout).toContain(`[${other?.id}]`);
      const refused = await place.collab(['dismiss', critical?.id ?? '', '--reason', 'no']);
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not dismissed: it is Critical'),
      });
      expect(place.names()).not.toContain('collab.suppressions.yaml');

      const number = other?.id.slice(1) ?? '';
      const done = await place.collab(['dismiss', number, '--reason', 'we step through it']);
      expect(done).toMatchObject({
        code: 0,
        stdout: `dismissed ${other?.id} in collab.suppressions.yaml and .collab/history.jsonl\n`,
        stderr: '  commit both files: a change is reviewed with those of its base\n',
      });
      expect((await place.collab(['dismiss', number, '--reason', 'again'])).stdout).toMatch(
        /^was dismissed before/,
      );
      expect(place.git('status', '--porcelain', '-uall').split('\n').filter(Boolean)).toEqual([
        '?? .collab/.gitattributes',
        '?? .collab/history.jsonl',
        '?? collab.suppressions.yaml',
      ]);
      expect(place.git('check-attr', 'merge', '.collab/history.jsonl')).toContain('merge: union');

      // The change itself does not excuse itself.
      commit(place, 'dismiss');
      const own = await review(place);
      expect(own.result.findings.filter(({ suppressed }) => suppressed !== undefined)).toEqual([]);
      place.git('checkout', '-q', 'main');
      place.git('checkout', '-q', 'topic', '--', '.collab', 'collab.suppressions.yaml');
      commit(place, 'dismissals');
      place.git('checkout', '-q', 'topic');
      place.git('merge', '-q', 'main', '-m', 'merge');
      const later = await review(place);
      const suppressed = later.result.findings.filter((finding) => finding.suppressed !== undefined);
      expect(suppressed.map(({ title }) => title)).toEqual([other?.title]);
      expect(later.stdout).toContain('suppressed, does not count: we step through it');
    },
  );

  test('the working tree is reviewed as a whole after a dismissal', patient, async ({ place, expect }) => {
    begin(place);
    await review(place);
    await place.collab(['dismiss', '2', '--reason', 'so']);
    const tree = await place.collab(['review', '--advisor', 'static_review', '--report', 'json=result.json']);
    expect(tree.stdout).not.toContain('file_hidden');
    expect(JSON.parse(place.read('result.json'))).toMatchObject({ state: 'ended', outcome: 'clean' });
  });

  test('dismissals of two branches are merged without a conflict', patient, async ({ place, expect }) => {
    begin(place);
    const { result } = await review(place);
    const ids = result.findings.filter(({ severity }) => severity !== 'critical').map(({ id }) => id);
    await place.collab(['dismiss', ids[0] ?? '', '--reason', 'one']);
    const line = place.read('.collab/history.jsonl');
    place.git('add', '.collab');
    place.git('commit', '-qm', 'one');
    place.git('checkout', '-qb', 'other', 'HEAD^');
    place.write('.collab/.gitattributes', 'history.jsonl merge=union\n');
    place.write(
      '.collab/history.jsonl',
      line.replaceAll(/"identity":"[^"]*"/g, `"identity":"${'0'.repeat(64)}"`),
    );
    place.git('add', '-f', '.collab/history.jsonl', '.collab/.gitattributes');
    place.git('commit', '-qm', 'other');
    place.git('merge', '-q', 'topic', '-m', 'both');
    expect(place.read('.collab/history.jsonl').trim().split('\n')).toHaveLength(2);
  });

  test(
    'from three dismissals of one kind on, the reviewer is told; stats counts them',
    patient,
    async ({ place, expect }) => {
      begin(place);
      const { result } = await review(place);
      const id = result.findings.find(({ severity }) => severity === 'important')?.id ?? '';
      await place.collab(['dismiss', id, '--reason', 'we step through it']);
      const line = place.read('.collab/history.jsonl');
      const others = ['1', '2'].map((digit) =>
        line.replace(/"identity":"[^"]*"/, `"identity":"${digit.repeat(64)}"`),
      );
      place.write('.collab/history.jsonl', `${line}${others.join('')}<<<<<<< ours\n`);
      const stats = await place.collab(['stats']);
      expect(stats.stdout.split('\n').filter((row) => !/^(?:class|folder)/.test(row))).toEqual([
        '2 findings of 1 review',
        '                        reported  confirmed  rejected  dismissed  precision',
        expect.stringMatching(/^rule debugger-leftover +1 +0 +0 +1 +0 %$/),
        expect.stringMatching(/^rule [a-z-]+ +1 +0 +0 +0 +100 %$/),
        expect.stringMatching(/^all +2 +0 +0 +1 +50 %$/),
        '2 dismissals of findings that no review here has',
        'lines of the history that cannot be read: 4',
        '',
      ]);
      const { stdout } = await place.collab(['stats', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ reviews: 1, reported: 2, dismissed: 1, damaged_lines: [4] });

      const shown = async () =>
        (await place.collab(['review', '--base', 'main', '--plan', '--show-prompt'])).stdout;
      commit(place, 'dismissals');
      expect(await shown()).not.toContain('What people dismissed');
      place.git('checkout', '-q', 'main');
      place.git('checkout', '-q', 'topic', '--', '.collab');
      commit(place, 'dismissals');
      place.git('checkout', '-q', 'topic');
      const prompt = await shown();
      expect(prompt).toContain('### 3 findings of the rule `debugger-leftover`');
      expect(prompt).toContain('Dismissed: we step through it');
    },
  );

  test(
    'processes that dismiss at once write each finding once, and none is lost',
    patient,
    async ({ place, expect }) => {
      begin(place);
      place.write('src/two.js', 'export function two(input) {\n  debugger;\n  return input;\n}\n');
      commit(place, 'two');
      const { result } = await review(place);
      const ids = result.findings.filter(({ severity }) => severity !== 'critical').map(({ id }) => id);
      expect(ids).toHaveLength(2);
      const done = await Promise.all(
        [...ids, ...ids, ...ids].map((id) => place.collab(['dismiss', id, '--reason', `about ${id}`])),
      );
      expect(done.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
      expect(done.filter(({ stdout }) => stdout.startsWith('dismissed'))).toHaveLength(2);
      const wanted = ids.map((id) => `about ${id}`);
      for (const file of ['collab.suppressions.yaml', '.collab/history.jsonl']) {
        const reasons = place.read(file).match(/about F\d/g) ?? [];
        expect(reasons).toHaveLength(2);
        expect(reasons).toEqual(expect.arrayContaining(wanted));
      }
    },
  );

  test(
    'unknown findings, runs, days and unfinished reviews are refused with exit 2',
    patient,
    async ({ place, expect }) => {
      begin(place);
      const none = await place.collab(['dismiss', '1', '--reason', 'r']);
      expect(none.code).toBe(2);
      await review(place);
      const refused = await Promise.all([
        place.collab(['dismiss', '99', '--reason', 'r']),
        place.collab(['dismiss', '2', '--reason', 'r', '--expires', '2027-02-30']),
        place.collab(['dismiss', '2', '--reason', ' ']),
        place.collab(['dismiss', '2']),
      ]);
      expect(refused.map(({ code, stderr }) => `${code} ${stderr.split('\n')[0]}`)).toEqual([
        '2 collab: there is no finding "99"',
        '2 collab: --expires 2027-02-30 is not a day',
        '2 collab: the reason is empty',
        "2 collab: required option '--reason <text>' not specified",
      ]);
    },
  );
});
