/** Baseline, suppressions, cache and gate through the installed command: their rows of the table of outcomes. */
import { existsSync } from 'node:fs';
import { describe } from 'vitest';
import { z } from 'zod';
import { test, type Place } from '../place.ts';
import { writeQuietChange } from '../quiet-change.ts';

const review = ['review', 'quiet.diff'];
const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

const resultSchema = z.looseObject({
  outcome: z.string(),
  exit_code: z.int(),
  findings: z.array(z.looseObject({ identity: z.string(), title: z.string(), path: z.string() })),
  exchanges: z.array(z.looseObject({ cached: z.looseObject({}).optional() })),
});

/** `graded-shipping` has one Important and one Minor finding. */
function begin(place: Place): string {
  place.write('collab.config.yaml', 'fail_on: important\nwaits: [1ms]\n');
  writeQuietChange(place);
  return place.rehearsal('graded-shipping');
}

async function run(place: Place, ...flags: readonly string[]) {
  const { code, stdout } = await place.collab([...review, '--report', 'json=result.json', ...flags]);
  const result = resultSchema.parse(JSON.parse(place.read('result.json')));
  return { code, stdout, result, outcome: `${code} ${result.exit_code} ${result.outcome}` };
}

function calls(place: Place): number {
  const log = 'rehearsal/calls.log';
  return existsSync(`${place.folder}/${log}`) ? place.read(log).trim().split('\n').length : 0;
}

describe.concurrent('known findings', () => {
  test('of a baseline do not count; new ones do, and missing ones are not called fixed without proof', async ({
    place,
    expect,
  }) => {
    const advisor = begin(place);
    expect((await run(place, '--advisor', advisor)).outcome).toBe('1 1 findings');
    place.write('main.json', place.read('result.json'));
    const same = await run(place, '--advisor', advisor, '--baseline', 'main.json');
    expect(same.outcome).toBe('0 0 clean');
    expect(same.stdout).toContain('clean — no findings that count; 2 still there\n');
    expect(same.stdout).toMatch(/since the baseline \S+: 0 new, 2 still there, 0 fixed\n/);

    const [kept] = same.result.findings;
    const main = z.looseObject({}).parse(JSON.parse(place.read('main.json')));
    const anchor = { line: 'was here', symbol: null, ordinal: 1 };
    const gone = { ...kept, identity: '0'.repeat(64), title: 'Gone', quote: anchor.line, anchor };
    place.write('main.json', JSON.stringify({ ...main, findings: [gone] }));
    const other = await run(place, '--advisor', advisor, '--baseline', 'main.json');
    expect(other.outcome).toBe('1 1 findings');
    expect(other.stdout).toMatch(
      /since the baseline \S+: 2 new, 0 still there, 0 fixed, 1\s+not seen again\n/,
    );
  });

  test('of a baseline are followed through edits and renames, and fixed only if their line is gone', async ({
    place,
    expect,
  }) => {
    const since = async (...lines: readonly string[]) => {
      place.write('src/pay.ts', `${lines.join('\n')}\n`);
      place.git('add', '-A');
      place.git('commit', '-qm', 'edit');
      return compare();
    };
    const compare = async () => {
      const flags = ['--base', 'main', '--advisor', 'static_review', '--report', 'json=result.json'];
      const { stdout } = await place.collab(['review', ...flags, '--baseline', 'main.json']);
      return /since the baseline \S+: (.*)\n/.exec(stdout)?.[1];
    };
    place.git('init', '-q');
    place.write('.gitignore', '*.json\n');
    place.write('readme.txt', 'a shop\n');
    place.git('add', '-A');
    place.git('commit', '-qm', 'base');
    place.git('checkout', '-qb', 'topic');
    const pay = ['export function pay(input: string) {', '  return eval(input);', '}'];
    place.write('src/pay.ts', `${pay.join('\n')}\n`);
    place.git('add', '-A');
    place.git('commit', '-qm', 'pay');
    const first = ['--base', 'main', '--advisor', 'static_review', '--report', 'json=main.json'];
    await place.collab(['review', ...first]);

    expect(await since('// A comment.', '', ...pay)).toBe('0 new, 1 still there, 0 fixed');
    expect(await since(...pay.map((line) => `\t${line}`))).toBe('0 new, 1 still there, 0 fixed');
    const buy = pay.map((line) => line.replace('pay', 'buy'));
    expect(await since(...buy, ...pay)).toBe('1 new, 1 still there, 0 fixed');
    await since(...pay);
    place.git('mv', 'src/pay.ts', 'src/buy.ts');
    place.git('commit', '-qm', 'rename');
    expect(await compare()).toBe('0 new, 1 still there, 0 fixed');
    place.git('reset', '-q', '--hard', 'HEAD^');
    expect(await since(...pay.with(1, '  return Number(input);'))).toBe('0 new, 0 still there, 1 fixed');
  });

  test('of a missing, unfinished or invalid baseline: exit 2, and nothing is left', async ({
    place,
    expect,
  }) => {
    const advisor = begin(place);
    await run(place, '--advisor', advisor);
    const result = z.looseObject({}).parse(JSON.parse(place.read('result.json')));
    place.write('running.json', JSON.stringify({ ...result, state: 'running' }));
    place.write('old.json', JSON.stringify({ ...result, schema: 'collab.review/v0' }));
    const runs = place.runs().length;
    const refused = await Promise.all(
      ['nowhere.json', 'running.json', 'old.json', 'collab.config.yaml'].map((file) =>
        place.collab([...review, '--advisor', advisor, '--baseline', file]),
      ),
    );
    expect(refused.map(({ code, stderr }) => `${code} ${stderr.split('\n')[0]}`)).toEqual([
      '2 collab: the baseline nowhere.json does not exist',
      '2 collab: running.json is not a baseline: its review has not ended (running)',
      expect.stringMatching(/^2 collab: \S+old\.json has another version: collab\.review\/v0$/),
      expect.stringMatching(/^2 collab: \S+collab\.config\.yaml is not JSON$/),
    ]);
    expect(place.runs()).toHaveLength(runs);
  });

  test('of the suppression file do not count until it expires; a wrong key is exit 2', async ({
    place,
    expect,
  }) => {
    const advisor = begin(place);
    const suppress = (expires: string) =>
      place.write(
        'collab.suppressions.yaml',
        'suppressions:\n  - path: src/south/shipping.ts\n    title: A fee that is not a number breaks the order\n' +
          `    reason: carriers send numbers\n    expires: ${expires}\n`,
      );
    const suppressed = ['--advisor', advisor, '--suppressions', 'collab.suppressions.yaml'];
    suppress(day(2));
    const held = await run(place, ...suppressed);
    expect(held.outcome).toBe('0 0 findings');
    expect(held.stdout).toContain(`suppressed until ${day(2)}, does not count: carriers send numbers`);
    suppress(day(-2));
    const expired = await run(place, ...suppressed);
    expect(expired.outcome).toBe('1 1 findings');
    expect(expired.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `collab.suppressions.yaml:2 expired on ${day(-2)}, 1 finding counted again: carriers send numbers`,
    );
    place.write('collab.suppressions.yaml', 'suppressions:\n  - { path: a, title: b, raeson: c }\n');
    expect(await place.collab([...review, ...suppressed])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('collab.suppressions.yaml:2:'),
    });
  });

  test('a second review of the same change makes no call and has the same exit code', async ({
    place,
    expect,
  }) => {
    begin(place);
    place.write('collab.config.yaml', 'chunk_tokens: 700\n');
    const advisor = place.rehearsal('four-chunks');
    const first = await run(place, '--advisor', advisor);
    const made = calls(place);
    expect(made).toBeGreaterThan(0);
    const second = await run(place, '--advisor', advisor);
    expect([second.outcome, calls(place)]).toEqual([first.outcome, made]);
    expect(second.result.exchanges.every(({ cached }) => cached !== undefined)).toBe(true);
    expect(second.stdout).toMatch(/(\d+) of \1 exchanges? answered from the cache/);
    const asked = await run(place, '--advisor', advisor, '--no-cache');
    expect([asked.outcome, calls(place)]).toEqual([first.outcome, 2 * made]);
    expect((await place.collab(['clean', '--all'])).stdout).toMatch(/^removed the cache \(\d+ answers?\)$/m);
    await run(place, '--advisor', advisor);
    expect(calls(place)).toBe(3 * made);
  });

  test('the gate agrees with the file', async ({ place, expect }) => {
    const advisor = begin(place);
    await run(place, '--advisor', advisor);
    const result = z
      .looseObject({ coverage: z.looseObject({}) })
      .parse(JSON.parse(place.read('result.json')));
    const files = {
      'as it is': {},
      'with another exit code': { exit_code: 0 },
      'called clean': { outcome: 'clean' },
      'without its findings': { findings: [] },
      'never to fail': { fail_on: 'never' },
      incomplete: { outcome: 'incomplete' },
      'without its files': { coverage: { ...result.coverage, files: [] } },
      failed: { outcome: 'failed' },
      running: { state: 'running' },
      'of another version': { schema: 'collab.review/v0' },
      'of a consult': { schema: 'collab.consult/v1' },
    };
    const codes = await Promise.all(
      Object.entries(files).map(async ([name, changes]) => {
        const file = place.write(`${name}.json`, JSON.stringify({ ...result, ...changes }));
        return [name, (await place.collab(['gate', file])).code] as const;
      }),
    );
    expect(Object.fromEntries(codes)).toEqual({
      'as it is': 1,
      'with another exit code': 1,
      'called clean': 1,
      'without its findings': 0,
      'never to fail': 0,
      incomplete: 3,
      'without its files': 3,
      failed: 4,
      running: 4,
      'of another version': 2,
      'of a consult': 2,
    });
    const required = await place.collab(['gate', 'result.json', '--fail-on', 'never', '--require', 'model']);
    expect(required).toMatchObject({ code: 3, stdout: 'refused: no model looked\n' });
  });
});
