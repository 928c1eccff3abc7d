/** Hostile titles, texts, branches and forks of a pull request, through the installed program: they change nothing but text. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import { hostileBodies } from '../../../src/views/rounds/hostile-bodies.test-helper.ts';
import { eitherHost, type EitherHost } from '../../forge/either-host.ts';
import type { PullWords } from '../../forge/github-pull.ts';
import { somePoints } from '../../setup/points.ts';
import { test, type Place } from '../place.ts';

/** Git allows these names: a shell, an address or a terminal would take them for more. */
const hostileBranches: readonly string[] = [
  '$(touch${IFS}pwned)',
  '`touch${IFS}pwned`',
  "a';touch${IFS}pwned;'",
  '";touch${IFS}pwned;"',
  'a|tee${IFS}pwned',
  'a&state=closed#x',
  'a%2f%2e%2e%2fb',
  '${{secrets.GITHUB_TOKEN}}',
  '<img/src=x>',
  '-x',
  '--output=pwned',
  '@',
  'right\u202eleft\u2066x',
  'zero\u200bwidth\u{e0041}',
  'pr/8',
  '8',
  `long-${'x'.repeat(200)}`,
];

const words = hostileBodies.map((title, at): PullWords => {
  const branch = hostileBranches[at % hostileBranches.length] ?? '';
  return { title, body: `${title}\n\n${hostileBodies.at(-at) ?? ''}`, branch, fork: `$(x)&a=b #?/${branch}` };
});
const harmless: PullWords = { title: 'Add', body: 'It adds.', branch: 'topic', fork: 'stranger/till' };

const path = 'src/till.ts';
const lines = ['const a = 1;', 'debugger;'];
const files = { [path]: lines };
const opened = {
  head: headOf(1),
  diff: diffOf(files),
  files: { [path]: { text: `${lines.join('\n')}\n`, mode: '100644' } },
};
async function openNamed(open: Open, of: PullWords, fork = false): Promise<EitherHost> {
  const host = await open({ ...opened, words: of, fork });
  onTestFinished(() => host.close());
  return host;
}

type Open = (typeof eitherHost)[keyof typeof eitherHost];
/** All that `collab` made, as text. */
const madeOn = ({ threads, comments, branches, evidence, url }: EitherHost): string =>
  JSON.stringify([threads(), comments(), branches(), evidence()]).replaceAll(url, '<host>');

const inputSchema = z.looseObject({ change: z.looseObject({ pull_request: z.string() }) });

/** Runs the command; returns what a person sees of it, without what differs from run to run. */
async function seen(place: Place, host: EitherHost, args: readonly string[]) {
  const { code, stdout, stderr } = await place.collab(args, { env: host.env });
  const shown = `${stdout}${stderr}`
    .replaceAll(host.url, '<host>')
    .replaceAll(/\d{8}-\d{6}-\w+/g, '<run>')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '<time>');
  return { code, shown };
}

test.for(Object.entries(eitherHost))(
  'a review of a pull request of %s shows and does the same, whatever its title, its text, its branch and its fork are',
  { timeout: 300_000 },
  async ([, open], { place, expect }) => {
    const review = async (of: PullWords) => {
      const host = await openNamed(open, of, true);
      const args = ['review', host.address, '--advisor', 'static_review', '--no-conventions'];
      const run = await seen(place, host, [...args, '--report', 'markdown=report.md']);
      const input = inputSchema.parse(JSON.parse(readFileSync(join(place.lastRun(), 'input.json'), 'utf8')));
      return {
        ...run,
        requests: host.requests(),
        names: place.names(),
        text: input.change.pull_request,
      };
    };
    const { text: _text, ...expected } = await review(harmless);
    expect(expected.code).toBe(0);
    for (const of of somePoints(words, 8)) {
      const { text, ...run } = await review(of);
      expect([of, run]).toEqual([of, expected]);
      expect([of.title, text.startsWith(of.title)]).toEqual([of.title, true]);
    }
  },
);

const fix = {
  schema: 'collab.fix/v1',
  run_id: 'r',
  head: headOf(1),
  findings: [{ id: 'F1', fate: 'fixed', reason: null }],
  patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1 @@\n-const a = 1;\n-debugger;\n+const a = 2;\n`,
};

test.for(Object.entries(eitherHost))(
  'rounds, answers and branches on %s are the same, whatever the pull request is called',
  { timeout: 300_000 },
  async ([, open], { place, expect }) => {
    const found = findingOn({ path, line: 2, quote: 'debugger;', title: 'debugger' });
    const result = roundResult(files, [found]);
    place.write('review.json', JSON.stringify({ ...result, input: { ...result.input, head: headOf(1) } }));
    place.write('fix.json', JSON.stringify(fix));
    const publish = async (of: PullWords) => {
      const host = await openNamed(open, of);
      const runs = [await seen(place, host, ['publish', 'review.json', host.address])];
      for (const [body, more] of [
        ['/collab review', ['--output', 'next.txt']],
        ['/collab fix 1', ['--fix', 'fix.json']],
      ] as const)
        runs.push(await seen(place, host, ['comment', host.address, host.say(body), ...more]));
      const next = place.read('next.txt').split('\n').slice(-4);
      return { runs, next, made: madeOn(host), names: place.names() };
    };
    const expected = await publish(harmless);
    expect(expected.runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(expected.made).toContain('collab/fix-1-');
    for (const of of somePoints(words, 3)) expect([of, await publish(of)]).toEqual([of, expected]);
  },
);

test(
  'a branch of any name that git allows is reviewed by it, and the name is text',
  { timeout: 300_000 },
  async ({ place, expect }) => {
    place.git('init', '-q', '-b', 'main');
    place.write(path, 'const a = 1;\n');
    place.git('add', '-A');
    place.git('commit', '-qm', 'one');
    const base = place.git('rev-parse', 'HEAD').trim();
    place.git('checkout', '-qb', 'topic');
    place.write(path, `${lines.join('\n')}\n`);
    place.git('commit', '-qam', 'two');
    place.git('checkout', '-q', 'main');
    for (const name of somePoints(hostileBranches, 8)) {
      place.git('update-ref', `refs/heads/${name}`, 'refs/heads/topic');
      const { code, stdout, stderr } = await place.collab([
        'review',
        `branch:${name}`,
        '--advisor',
        'static_review',
        '--no-conventions',
      ]);
      const isFlag = name.startsWith('-');
      const said = isFlag ? /has a name that git takes for a flag\n {2}name the commits/ : /^reviewing /;
      expect([name, code, stderr]).toEqual([name, isFlag ? 2 : 0, expect.stringMatching(said)]);
      // oxlint-disable-next-line no-control-regex
      expect([name, /[\p{Cf}\p{Cc}]/u.test(`${stdout}${stderr}`.replaceAll('\n', ''))]).toEqual([
        name,
        false,
      ]);
      expect([name, existsSync(join(place.folder, 'pwned'))]).toEqual([name, false]);
      place.git('update-ref', '-d', `refs/heads/${name}`);
    }
    expect(place.git('rev-parse', 'HEAD').trim()).toBe(base);
  },
);
