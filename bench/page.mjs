// The page for its reader: the first view with an empty cache beside a bare page of the same server, a run of 20,000
// events while they arrive and afterwards, and a review of 5,000 lines. Needs dist/ and a Chromium: node bench/page.mjs
// [--runs <n>]
import { loadavg } from 'node:os';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/find-chromium.mjs';
import { heading, interleave, medianOf, runsFrom } from './measure.mjs';
import { longRun } from './long-run.mjs';
import { firstView, measured, withPage } from './page-measures.mjs';
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
  const view = (path, control) => () =>
    withPage(browser, control, async (page) => ({
      ...(await firstView(page, server.url + path)),
      shift: (await measured(page)).shift,
    }));
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
      for (let click = 0; click < 12; click += 1) await clickAbout(page, click);
      await page.getByText('All events are loaded').waitFor({ timeout: 60_000 });
      const readyMs = performance.now() - begunAt;
      for (let click = 0; click < 12; click += 1) await clickAbout(page, click);
      return { readyMs, ...(await measured(page)) };
    });
  } finally {
    server.close();
  }
}

/** From one part of the run to the next, and down the timeline. */
async function clickAbout(page, click) {
  const names = ['Exchanges', 'Usage', 'Timeline'];
  await page.getByRole('tab', { name: names[click % names.length] }).click();
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
      const act = async (input) => {
        await input();
        await page.waitForTimeout(100);
      };
      for (let times = 0; times < 8; times += 1) await act(() => page.keyboard.press('n'));
      for (let times = 0; times < 4; times += 1) await act(() => page.keyboard.press('p'));
      const critical = page.getByRole('checkbox', { name: /^Critical/ });
      for (let times = 0; times < 2; times += 1) await act(() => critical.click());
      for (let times = 0; times < 4; times += 1)
        await act(() =>
          page
            .getByRole('button', { name: /^Show [\d,]+ lines$/ })
            .first()
            .click(),
        );
      for (const name of ['src/part-0.ts', 'src/part-1.ts']) {
        const head = page
          .getByRole('article', { name })
          .getByRole('heading')
          .getByRole('button', { name })
          .first();
        for (let times = 0; times < 2; times += 1) await act(() => head.click());
      }
      for (let times = 0; times < 10; times += 1) await act(() => page.mouse.wheel(0, 3000));
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
}
