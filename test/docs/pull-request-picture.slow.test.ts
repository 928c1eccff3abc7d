/**
 * The picture of references/pull-requests.md: the comments that a round and a command leave on a loopback GitHub, rendered.
 * `UPDATE_PICTURES=1` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HtmlRenderer, Parser } from 'commonmark';
import { expect, onTestFinished, test } from 'vitest';
import { carryOut } from '../../src/forge/commands/carry-out.ts';
import { readCommentName } from '../../src/forge/commands/comment-name.ts';
import { openCommentHost, openRoundHost } from '../../src/forge/open-forge.ts';
import { createMarks } from '../../src/forge/round/marks.ts';
import { publishRound } from '../../src/forge/round/publish-round.ts';
import { diffOf, findingOn, headOf, roundResult } from '../../src/forge/round/rounds.test-helper.ts';
import type { Clock } from '../../src/system/clock.ts';
import { startGithubPull } from '../forge/github-pull.ts';

const picture = join(import.meta.dirname, '../../references/images/pull-request.svg');
const till = [
  'export function total(items: Item[]) {',
  '  const sum = items.reduce(add, 0);',
  '  console.log(items);',
  '  return sum * 1.19;',
  '}',
];
const files = { 'src/till.ts': till };
const onRate = findingOn({
  path: 'src/till.ts',
  line: 4,
  quote: till[3] ?? '',
  title: 'The sum is not rounded to cents',
  severity: 'important',
  body: 'A total of 3 items at 0.35 is 1.2494999999999998, and the invoice shows it.',
  remedy: 'Round once, at the end.',
  replacement: '  return Math.round(sum * 119) / 100;',
});
const onLog = findingOn({
  path: 'src/till.ts',
  line: 3,
  quote: till[2] ?? '',
  title: 'Every purchase is printed to the log',
  severity: 'important',
  body: 'The log is kept for 90 days and has the names of customers in `items`.',
});

test('the picture shows the comments as collab writes them', async () => {
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files) });
  onTestFinished(() => pull.close());
  const signal = new AbortController().signal;
  const clock: Clock = { now: () => 0, sleep: async () => undefined };
  const marks = createMarks({ scope: 'shop/till#7', secret: null });
  const name = { forge: 'github', server: pull.url, repository: 'shop/till', number: 7 } as const;
  const place = { env: pull.env, repositoryRoot: null, clock, signal };
  const host = await openCommentHost(name, place, marks);
  const publish = async () => {
    const result = roundResult(files, [onRate, onLog], { fail_on: 'important' });
    const of = { ...result, input: { ...result.input, head: headOf(1) } };
    const rounds = await openRoundHost(name, place, marks);
    await publishRound({
      host: rounds,
      marks,
      result: of,
      digest: 'd1'.repeat(32),
      skipDrafts: false,
    });
  };
  await publish();
  const comment = readCommentName(String(pull.say('/collab dismiss 1 the log of the demo is empty', 'anna')));
  await carryOut({ host, marks, name: comment, announce: () => undefined });
  await publish();
  const [first, second] = pull.threads();
  const bodies = [second?.comments[0], first?.comments[1], pull.comments()[0]].map((one) => one?.body ?? '');
  const drawn = drawPicture([
    { body: bodies[0] ?? '', title: 'src/till.ts, line 4', height: 300 },
    { body: bodies[1] ?? '', title: 'src/till.ts, line 3: reply', height: 120 },
    { body: bodies[2] ?? '', title: 'Conversation', height: 230 },
  ]);
  if (process.env['UPDATE_PICTURES'] === '1') writeFileSync(picture, drawn);
  expect(readFileSync(picture, 'utf8')).toBe(drawn);
  expect(drawn).not.toMatch(/<script|127\.0\.0\.1/);
});

interface Card {
  readonly body: string;
  readonly title: string;
  readonly height: number;
}

const width = 760;
const style = `
.card{font:14px/1.5 -apple-system,"Segoe UI",Helvetica,Arial,sans-serif;color:#1f2328;border:1px solid #d1d9e0;border-radius:6px;background:#fff;overflow:hidden}
.head{background:#f6f8fa;border-bottom:1px solid #d1d9e0;padding:6px 14px;color:#59636e}
.head b{color:#1f2328}
.body{padding:2px 14px 10px}
h1{font-size:20px;margin:10px 0 6px;border-bottom:1px solid #d1d9e0;padding-bottom:6px}
p,ul{margin:8px 0}ul{padding-left:22px}
a{color:#0969da;text-decoration:none}
code{font:12px ui-monospace,Menlo,Consolas,monospace;background:#eff1f3;border-radius:4px;padding:2px 4px}
pre{background:#f6f8fa;border-radius:6px;padding:10px;margin:8px 0}pre code{background:none;padding:0}
.suggestion{border:1px solid #d1d9e0;border-radius:6px;margin:8px 0}.suggestion b{display:block;padding:6px 10px;border-bottom:1px solid #d1d9e0;font-size:13px}
.suggestion pre{margin:0;background:#dafbe1;border-radius:0 0 6px 6px}
summary{color:#59636e}`;

function drawPicture(cards: readonly Card[]): string {
  let top = 10;
  const drawn = cards.map(({ body, title, height }) => {
    const at = top;
    top += height + 14;
    return `<foreignObject x="10" y="${at}" width="${width - 20}" height="${height}"><div xmlns="http://www.w3.org/1999/xhtml" class="card"><div class="head"><b>github-actions</b> · ${title}</div><div class="body">${htmlOf(body)}</div></div></foreignObject>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}"><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>\n${drawn.join('\n')}\n</svg>\n`;
}

/** The lines without our hidden marks; a suggestion as a host shows it, and the proof folded. */
function htmlOf(body: string): string {
  const shown = body
    .split('\n')
    .filter((line) => !line.startsWith('<!-- collab:'))
    .join('\n')
    .replace(/<details>[^]*<\/details>/, '**▸ Proof**');
  return new HtmlRenderer({ safe: true })
    .render(new Parser().parse(shown))
    .replace(
      /<pre><code class="language-suggestion">([^]*?)<\/code><\/pre>/,
      '<div class="suggestion"><b>Suggested change</b><pre><code>$1</code></pre></div>',
    );
}
