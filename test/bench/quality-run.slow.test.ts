/** `npm run quality` as a whole: it reviews, saves, continues, replays and compares. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { savedResultsSchema } from '../../bench/quality/scores/saved-results.ts';
import { scratchFolder, twoBranches } from '../fixtures/scratch-repository.ts';

const root = join(import.meta.dirname, '../..');

// Eighty reviews, each in a process of its own.
test('without arguments it prints the figures of README', { timeout: 600_000 }, () => {
  const { status, stdout } = run();
  expect(status).toBe(0);
  const printed = stdout.split(/^(?=rehearsal: )/m);
  const rows = [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^\| by (?:rules|a rehearsal).*\|$/gm),
  ];
  expect(rows).toHaveLength(2);
  for (const [index, [row]] of rows.entries()) {
    const [, recall, precision, quiet, stability] = row.slice(2, -2).split(' | ');
    expect({
      recall: figure(printed[index], 'recall:'),
      precision: figure(printed[index], 'precision:'),
      quiet: figure(printed[index], 'quiet:'),
      stability: figure(printed[index], 'stability'),
    }).toEqual({ recall, precision, quiet, stability });
  }
});

test('saved results are continued, not repeated; scored without a reviewer; compared', () => {
  const place = scratchFolder();
  const [rules, played] = ['rules.json', 'played.json'].map((file) => join(place, file));
  const only = ['--only', '03-cache-lock,07-rename-only'];
  const byRules = ['--advisor', 'static_review', '--runs', '1', ...only, '--out', rules ?? ''];
  expect(run(...byRules)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^recall.* 0 %$/m) });
  const rehearsed = ['--advisor', 'rehearsal', ...only, '--out', played ?? ''];
  const first = run(...rehearsed);
  expect(first.stdout).toMatch(/03-cache-lock .* 2, 1, 2 of 2 faults in 2, 1, 2 findings/);
  expect(first.stdout).toMatch(/^recall.* 83 % \(50–100, deviation 28\.9\)$/m);
  const saved = readResults(played);
  expect(saved.reviews.map(({ run: number }) => number)).toEqual([1, 1, 2, 2, 3, 3]);
  // The kept review shows in the figures: it was not made again.
  const [kept, , ...others] = saved.reviews;
  const partial = { ...saved, reviews: [{ ...kept, tokens: 77 }, ...others] };
  writeFileSync(played ?? '', JSON.stringify(partial));
  expect(run(...rehearsed).stdout).toMatch(/^tokens +77$/m);
  expect(run('--replay', played ?? '').stdout).toBe(
    first.stdout.replace(/^(tokens +)0$/m, '$177').replace('$0.00', 'unknown'),
  );
  expect(run(...byRules, '--runs', '2').stderr).toContain('has results of another measurement');
  expect(run('--compare', rules ?? '', played ?? '').stdout).toMatch(
    /^\+ 03-cache-lock: the lock stays held on a miss: found in 0 % of the runs, then in 100 %\n/,
  );
});

test('the cost is printed before a model is called, and without --yes none is', () => {
  const { status, stdout } = run('--advisor', 'codex', '--only', '07-rename-only', '--', '--effort', 'quick');
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^3 reviews: 3 calls of the advisor, about [\d,]+ to [\d,]+ tokens of requests and answers\nno model was called; add --yes to start\n$/,
  );
});

test('a set of pull requests: its clone is reviewed, what was not fetched is left out, and a command judges', () => {
  const folder = scratchFolder();
  const clone = join(folder, 'clones/acme__shop');
  const { base, head } = cloneAt(clone);
  const sample = (number: number, comments: readonly object[]) => ({
    githubPrUrl: `https://github.com/acme/${number === 1 ? 'shop' : 'other'}/pull/${number}`,
    source_commit: base,
    target_commit: head,
    comments,
  });
  const comment = { note: 'A known one.', path: 'a.txt', side: 'right', from_line: 2, to_line: 2 };
  writeFileSync(join(folder, 'positive_samples.json'), JSON.stringify([sample(1, [comment]), sample(2, [])]));
  const script = join(folder, 'script.yaml');
  writeFileSync(script, stringify({ turns: [{ answer: answerAbout('a.txt', 2, 'TWO') }] }));
  const out = join(folder, 'out.json');
  const judgments = join(folder, 'judgments.jsonl');
  const measured = ['--set', folder, '--advisor', `rehearsal:${script}`, '--runs', '2', '--out', out];
  const unjudged = run(...measured);
  expect(unjudged.stdout).toMatch(/^1 of 2 changes are left out: their diffs are not in the folder\n/);
  expect(unjudged.stdout).toMatch(/^recall.* nothing to count$/m);
  expect(unjudged.stdout).toMatch(/^by line alone: known faults.* 100 %$/m);
  const asked = join(folder, 'asked.jsonl');
  const judge = ['--judge', `command:cat >> '${asked}'; echo '{"same": ["1"]}'`, '--judgments', judgments];
  expect(run('--replay', out, ...judge).stdout).toMatch(
    /^1 calls of the judge .*; nothing was called; add --yes/,
  );
  expect(run('--replay', out, ...judge, '--yes').stdout).toMatch(/^recall.* 100 %$/m);
  expect(readFileSync(asked, 'utf8')).not.toContain('a.txt');
  expect(run('--replay', out, ...judge).stdout).toMatch(/^recall.* 100 %$/m);
});

test('a review that did not end is 3, and arguments that do not fit are 2', () => {
  const script = join(scratchFolder(), 'script.yaml');
  writeFileSync(script, stringify({ turns: [{ fault: 'auth' }] }));
  const only = ['--only', '01-page-count', '--runs', '1'];
  expect(run('--advisor', `rehearsal:${script}`, ...only).status).toBe(3);
  for (const [line, message] of [
    [['--advisor', 'static_review', '--only', 'nothing'], 'no such change: nothing'],
    [['--advisor', 'static_review', '--set', script], 'there is no folder'],
    [['--advisor', 'static_review', ...only, '--', '--nothing'], "unknown option '--nothing'"],
    [['--replay', script], 'is not JSON'],
  ] as const) {
    const { status, stdout, stderr } = run(...line);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  }
});

/** A clone with two commits; the second changes line 2 of a.txt. */
function cloneAt(place: string) {
  const {
    repository: { root: origin, git },
    base,
    head,
  } = twoBranches();
  mkdirSync(join(place, '..'), { recursive: true });
  git('clone', '--quiet', origin, place);
  return { base, head };
}

function answerAbout(path: string, line: number, quote: string): string {
  const issue = `- **It shouts** — \`${path}:${line}\`\n  \`\`\`\n  ${quote}\n  \`\`\`\n  Why: loud.\n  Fix: whisper.`;
  return `[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Small.\n\n## ISSUES\n### Minor\n${issue}\n\n## SUGGESTIONS\nNone\n`;
}

function readResults(file: string | undefined) {
  return savedResultsSchema.parse(JSON.parse(readFileSync(file ?? '', 'utf8')));
}

function figure(text: string | undefined, name: string): string | undefined {
  const line = text?.split('\n').find((row) => row.startsWith(name));
  return line?.slice(56).trim();
}

function run(...args: readonly string[]) {
  const options = { env: { PATH: process.env['PATH'], HOME: scratchFolder() }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [join(root, 'bench/quality/run.mjs'), ...args], options);
}
