// The page for its reader: the first view with an empty cache beside a bare page of the same server, a run of 20,000
// events while they arrive and afterwards, and a review of 5,000 lines. Needs dist/ and a Chromium: node bench/page.mjs
// [--runs <n>]
import { loadavg } from 'node:os';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/find-chromium.mjs';
import { heading, interleave, median, medianOf, runsFrom } from './measure.mjs';
import { longRun } from './long-run.mjs';
import { bareFirstView, begin, firstView, measured, withPage } from './page-measures.mjs';
import { longReview } from './page-review.mjs';
import { startPageServer } from './page-server.mjs';

const eventCount = 20_000;
const lineCount = 5_000;
const runs = runsFrom(process.argv, 5);
const events = longRun(eventCount);
const review = await longReview(lineCount);
const browser = await chromium.launch({
  executablePath: findChromium(),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  await compareFirstViews();
  const figures = await interleave(
    {
      'all there already': () => readRun(0),
      'a quarter of them coming at 1,000 a second': () => readRun(eventCount / 4),
      'the review': readReview,
    },
    runs,
  );
  heading(`a run of ${eventCount} events and a review of ${lineCount} lines, ${medianAndLoad()}`);
  for (const [name, own] of Object.entries(figures)) tell(name, own);
} finally {
  await browser.close();
}

/** Everything starts with an empty cache. */
async function compareFirstViews() {
  const server = await startPageServer({ events: events.slice(0, 500), review });
  const view = (path, control) => () => bareFirstView(browser, control, server.url + path);
  try {
    const figures = await interleave(
      {
        'a bare page': view('bare', 'button'),
        'the start page': view('', 'main button.primary'),
        'a conversation': view('#/c/c', 'main textarea'),
        'a run of 500 events': view('#/c/c/r/r/timeline', 'ol.virtual > li'),
        'the review': view('#/c/c/r/v', '.review .diff'),
      },
      runs,
    );
    heading(`the first view, ${medianAndLoad()}`);
    const bare = medianOf(figures['a bare page'], 'paintMs');
    for (const [name, own] of Object.entries(figures)) {
      const of = (key) => medianOf(own, key);
      process.stdout.write(
        `${name}: first paint ${of('paintMs').toFixed()} ms (×${(of('paintMs') / bare).toFixed(1)} of the bare page), ` +
          `interactive ${of('interactiveMs').toFixed()} ms, script ${of('scriptKb').toFixed()} kB, ` +
          `layout shift ${of('shift').toFixed(3)}\n`,
      );
    }
  } finally {
    server.close();
  }
}

/** One reader of the run, from the address to the last click. */
async function readRun(live) {
  const server = await startPageServer({ events, live });
  try {
    return await withPage(browser, 'ol.virtual > li', async (page) => {
      const begunAt = performance.now();
      await firstView(page, `${server.url}#/c/c/r/r/timeline`);
      for (let click = 0; click < 12; click += 1) await clickAbout(page, click, 'while loading');
      await page.getByText('All events are loaded').waitFor({ timeout: 60_000 });
      const readyMs = performance.now() - begunAt;
      for (let click = 0; click < 12; click += 1) await clickAbout(page, click, 'afterwards');
      return { readyMs, ...(await measured(page)) };
    });
  } finally {
    server.close();
  }
}

/** From one part of the run to the next, and down the timeline. */
async function clickAbout(page, click, when) {
  const names = ['Exchanges', 'Usage', 'Timeline'];
  const name = names[click % names.length];
  await begin(page, `${name} ${when} ${Math.ceil((click + 1) / names.length)}`);
  await page.locator('[role=tab]', { hasText: name }).click();
  await page.mouse.wheel(0, 4000 * click);
  await page.waitForTimeout(100);
}

/** One reader of the review: through its findings, its filter, its folded lines and its files. */
async function readReview() {
  const server = await startPageServer({ events, review });
  try {
    return await withPage(browser, '.review .diff', async (page) => {
      const begunAt = performance.now();
      await firstView(page, `${server.url}#/c/c/r/v`);
      await page.locator('.diff .hljs-keyword').first().waitFor();
      const readyMs = performance.now() - begunAt;
      const repeat = async (act, count, input) => {
        for (let time = 1; time <= count; time += 1) {
          await begin(page, `${act} ${time}`);
          await input();
          await page.waitForTimeout(100);
        }
      };
      await repeat('next finding', 8, () => page.keyboard.press('n'));
      await repeat('previous finding', 4, () => page.keyboard.press('p'));
      // By style classes: the search for a role and a name takes the page's own thread up to 150 ms.
      const click =
        (selector, nth = 0) =>
        () =>
          page.locator(selector).nth(nth).click();
      await repeat('filter', 2, click('.severity-filter input'));
      await repeat('show folded lines', 4, click('.diff .folded button'));
      for (const nth of [0, 1])
        await repeat(`close or open file ${nth + 1}`, 2, click('.file h3 button', nth));
      await repeat('two columns', 1, click('.review-tools .segments button', 1));
      await repeat('one column', 1, click('.review-tools .segments button', 0));
      await repeat('files beside', 1, click('.review-side .segments button', 1));
      await repeat('findings beside', 1, click('.review-side .segments button', 0));
      await repeat('scroll', 10, () => page.mouse.wheel(0, 3000));
      return { readyMs, ...(await measured(page)) };
    });
  } finally {
    server.close();
  }
}

function medianAndLoad() {
  return `median of ${runs} interleaved runs, load ${loadavg()[0].toFixed(1)}`;
}

function tell(name, figures) {
  const told = (key) => Math.round(medianOf(figures, key));
  process.stdout.write(
    `${name}: ready after ${told('readyMs')} ms, slowest of ${told('clicks')} interactions ${told('interactionMs')} ms, ` +
      `${told('longTasks')} tasks above 50 ms (longest ${told('longestTaskMs')}, beyond 50 ms each ${told('blockedMs')} together), ` +
      `${told('domNodes')} nodes, layout shift ${medianOf(figures, 'shift').toFixed(3)}\n`,
  );
  for (const [act, times] of timesByAct(figures)) process.stdout.write(`  ${act}: ${times.join(', ')} ms\n`);
}

/** Returns the median of each act, together with those of the same name, in the order of their numbers. */
function timesByAct(figures) {
  const acts = new Set(figures.flatMap(({ byAct }) => Object.keys(byAct)));
  const byName = new Map();
  for (const act of acts) {
    const name = act.replace(/ \d+$/, '');
    // An act that was too fast to be counted took less than 16 ms.
    const time = median(figures.map(({ byAct }) => byAct[act] ?? 0));
    byName.set(name, [...(byName.get(name) ?? []), Math.round(time)]);
  }
  return byName;
}
