// The cost of a run of 20,000 events for its reader: the time until all of it is drawn, tasks that block the page, and
// the time until a click shows, while the events arrive and afterwards. Needs dist/ and a Chromium: node
// bench/page.mjs [--runs <n>]
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/find-chromium.mjs';
import { heading, medianOf, runsFrom } from './measure.mjs';
import { longRun } from './long-run.mjs';
import { startPageServer } from './page-server.mjs';

const count = 20_000;
const runs = runsFrom(process.argv, 3);
const browser = await chromium.launch({
  executablePath: findChromium(),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const whole = [];
  const live = [];
  for (let round = 0; round < runs; round += 1) {
    whole.push(await look({ live: 0 }));
    live.push(await look({ live: count / 4 }));
  }
  heading(`A run of ${count} events, median of ${runs}`);
  tell('all there already', whole);
  tell('a quarter of them coming at 1,000 a second', live);
} finally {
  await browser.close();
}

/** One reader, from the address to the last click. */
async function look({ live }) {
  const server = await startPageServer({ events: longRun(count), live });
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  try {
    await page.addInitScript(observe);
    const begunAt = performance.now();
    await page.goto(`${server.url}#/c/c/r/r/timeline`);
    await page.getByRole('list', { name: 'Messages and actions' }).waitFor();
    for (let click = 0; click < 12; click += 1) await clickAbout(page, click);
    await page.getByText('All events are loaded').waitFor({ timeout: 60_000 });
    const readyMs = performance.now() - begunAt;
    for (let click = 0; click < 12; click += 1) await clickAbout(page, click);
    const { tasks, interactions } = await page.evaluate(() => globalThis.observed);
    const domNodes = await page.evaluate(() => document.querySelectorAll('*').length);
    return {
      readyMs,
      domNodes,
      longTasks: tasks.length,
      longestTaskMs: Math.max(0, ...tasks),
      blockedMs: tasks.reduce((sum, task) => sum + task - 50, 0),
      interactionMs: Math.max(0, ...interactions),
    };
  } finally {
    await context.close();
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

/** In the page: tasks above 50 ms, and from an input to the next frame (what INP is made of). */
function observe() {
  const tasks = [];
  const interactions = [];
  globalThis.observed = { tasks, interactions };
  new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    const clicks = list.getEntries().filter(({ interactionId }) => interactionId > 0);
    interactions.push(...clicks.map(({ duration }) => duration));
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
}

function tell(name, figures) {
  const told = (key) => Math.round(medianOf(figures, key));
  process.stdout.write(
    `${name}: whole after ${told('readyMs')} ms, worst click to paint ${told('interactionMs')} ms, ` +
      `${told('longTasks')} tasks above 50 ms (longest ${told('longestTaskMs')}, beyond 50 ms each ${told('blockedMs')} together), ` +
      `${told('domNodes')} nodes\n`,
  );
}
