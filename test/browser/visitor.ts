import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { inject, test as base, type TestContext } from 'vitest';
import { artefactOf } from './artefacts.ts';

/** A user with a browser: cookies, storage and a window of their own. */
interface Visitor {
  readonly page: Page;
}

/**
 * A test with a visitor. It fails when a page sends a request outside loopback or throws an uncaught error. A trace of
 * every test is in `test-artefacts/`: `npx playwright-core show-trace <file>` opens it.
 */
export const test = base.extend<{ visitor: Visitor }>({
  visitor: async ({ task }, use) => {
    const browser = await chromium.connect(inject('browserEndpoint'));
    try {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      const faults = faultsOf(context);
      await context.tracing.start({ screenshots: true, snapshots: true });
      await use({ page: await context.newPage() });
      await leave(context, task);
      if (faults.length > 0) throw new Error(`the page ${faults.join(', ')}`);
    } finally {
      await browser.close();
    }
  },
});

async function leave(context: BrowserContext, task: TestContext['task']): Promise<void> {
  const [page] = context.pages();
  if (page !== undefined) await page.screenshot({ path: artefactOf(task, '.png') });
  await context.tracing.stop({ path: artefactOf(task, '.zip') });
  await context.close();
}

/** Things that no page of ours may do. */
function faultsOf(context: BrowserContext): readonly string[] {
  const faults: string[] = [];
  context.on('request', (request) => {
    if (!isOwn(request.url())) faults.push(`asked ${request.url()}`);
  });
  context.on('weberror', (error) => faults.push(`threw ${String(error.error())}`));
  context.on('page', (page) =>
    page.on('websocket', (socket) => {
      if (!isOwn(socket.url())) faults.push(`asked ${socket.url()}`);
    }),
  );
  return faults;
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

function isOwn(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return /^(?:data|blob|about):$/.test(protocol) || loopback.has(hostname);
}
