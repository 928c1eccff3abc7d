// What a reader waits for, measured in the page itself: its first picture, its first use, its clicks, its jumps.
import { setTimeout as pause } from 'node:timers/promises';
import { withBareSession } from './page-session.mjs';

/**
 * Opens `address` as `firstView` does, with an empty cache, in a page that no tool of a test listens to. Returns the same
 * figures, and the jumps of the layout in the next 300 ms.
 */
export function bareFirstView(browser, control, address) {
  const script = `(${String(observe)})(${JSON.stringify(control)})`;
  return withBareSession(browser, script, async (page) => {
    await pause(windowMs);
    return { ...(await firstView(page, address)), shift: (await measured(page)).shift };
  });
}

/**
 * Opens a page with an empty cache and its measures, hands it to `use`, and returns the result. The page can be used as
 * soon as an element matches `control`.
 */
export async function withPage(browser, control, use) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(observe, control);
    await pause(windowMs);
    return await use(page);
  } finally {
    await context.close();
  }
}

/**
 * A new window of Chromium first draws its own tabs and buttons: 0.5 to 1.5 s of CPU, beside which a page cannot be measured.
 * A reader's window is there before the page.
 */
const windowMs = 2000;

/** Names what the reader does from now on: the interactions that follow are counted under this name. */
export function begin(page, name) {
  return page.evaluate((act) => globalThis.observed.acts.push({ act, at: performance.now() }), name);
}

/** Returns the measures so far. */
export async function measured(page) {
  // The entries of the last frame are delivered with the next one.
  await pause(300);
  const { tasks, interactions, shifts, acts } = await page.evaluate(() => globalThis.observed);
  return {
    longTasks: tasks.length,
    longestTaskMs: Math.max(0, ...tasks),
    blockedMs: tasks.reduce((sum, task) => sum + task - 50, 0),
    interactionMs: Math.max(0, ...interactions.map(({ duration }) => duration)),
    clicks: interactions.length,
    byAct: slowestByAct(interactions, acts),
    shift: shifts.reduce((sum, shift) => sum + shift, 0),
    domNodes: await page.evaluate(() => document.querySelectorAll('*').length),
  };
}

/** Returns the slowest interaction of each act; an act whose interactions all took less than 16 ms is not listed. */
function slowestByAct(interactions, acts) {
  const byAct = {};
  for (const { at, duration } of interactions) {
    const act = acts.findLast((begun) => begun.at <= at)?.act ?? 'before';
    byAct[act] = Math.max(byAct[act] ?? 0, duration);
  }
  return byAct;
}

/**
 * Opens `address`. Returns the milliseconds from the start of the navigation to the first text, and until the control is
 * drawn and the page takes further work; also the script that was loaded until then, as it was sent.
 */
export async function firstView(page, address) {
  await page.goto(address);
  return page.evaluate(async () => {
    const interactiveMs = await globalThis.observed.usable;
    const paintMs = await globalThis.observed.painted;
    const scripts = performance
      .getEntriesByType('resource')
      .filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= interactiveMs)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { paintMs, interactiveMs, scriptKb: scripts / 1000 };
  });
}

/** In the page: tasks above 50 ms; the time from an input to the next frame, which INP is made of; jumps of the layout. */
function observe(control) {
  const [tasks, interactions, shifts, acts] = [[], [], [], []];
  // The page gets only this function.
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const watch = (type, options, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...options,
    });
  globalThis.observed = {
    tasks,
    interactions,
    shifts,
    acts,
    usable: untilUsable(),
    painted: untilPainted(),
  };
  watch('longtask', {}, ({ duration }) => tasks.push(duration));
  watch('event', { durationThreshold: 16 }, ({ interactionId, startTime: at, duration }) => {
    if (interactionId > 0) interactions.push({ at, duration });
  });
  watch('layout-shift', {}, ({ value, hadRecentInput }) => {
    if (!hadRecentInput) shifts.push(value);
  });

  function untilPainted() {
    return new Promise((resolve) => {
      watch('paint', {}, ({ name, startTime }) => {
        if (name === 'first-contentful-paint') resolve(startTime);
      });
    });
  }

  function untilUsable() {
    return new Promise((resolve) => {
      const changes = new MutationObserver(() => {
        if (document.querySelector(control) === null) return;
        changes.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      });
      changes.observe(document, { childList: true, subtree: true });
    });
  }
}
