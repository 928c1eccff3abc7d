/** Chromium's own EventSource, which knows nothing of us, on the real server. */
import type { Page } from 'playwright-core';
import { streamingEventNames } from '../../src/wire/streaming-event.ts';
import { example, type Place } from '../packed/place.ts';
import { serve, streamOf, type Served } from '../packed/served.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { executor, test } from './served-visitor.ts';

test('X002-12 an EventSource that is cut goes on behind its last event, and stops when all is told', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await review(place, 'four-chunks');
  const { url, cutAfter, broken } = await cuttingProxy(served.url);
  await page.goto(`${url}/api/health`);
  cutAfter([700, 1500, 1500]);
  await hear(page, streamOf({ ...served, url }, 'first'));
  await expect.poll(() => hasStopped(page), { timeout: 30_000 }).toBe(true);
  expect(await heardBy(page)).toEqual(idsIn(await wholeStream(served)));
  expect(broken()).toBe(3);
});

test('R002-6 X002-12 so does one whose server is killed and started again in mid-run', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await review(place, 'four-chunks-slow');
  await page.goto(`${served.url}/api/health`);
  await hear(page, streamOf(served, 'first'));
  const asked = async () => (await heardBy(page)).filter((event) => event.startsWith('subagent_start'));
  await expect.poll(asked, { timeout: 30_000 }).toHaveLength(3);
  await served.kill();
  await served.start();
  await expect.poll(() => hasStopped(page), { timeout: 30_000 }).toBe(true);
  const whole = await wholeStream(served);
  expect(await heardBy(page)).toEqual(idsIn(whole));
  expect(whole).toMatch(/^event: done\n.*\n.*"status":"success"/m);
});

/** A server on which a review has begun; whoever began it has gone (R002-6). */
async function review(place: Place, script: string): Promise<Served> {
  place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
  const served = await serve(place, ['--advisor', place.rehearsal(script)]);
  const leaving = new AbortController();
  const { body } = await fetch(streamOf(served, 'first'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_input: `/review ${example('checkout.diff')}`, executor }),
    signal: leaving.signal,
  });
  await body?.getReader().read();
  leaving.abort();
  return served;
}

async function hear(page: Page, url: string): Promise<void> {
  await page.evaluate(
    ([from, names]) => {
      const heard: string[] = [];
      const source = new EventSource(from);
      for (const name of names) {
        source.addEventListener(name, (event) => {
          // A connection that breaks is an `error` too, of another class.
          if (event instanceof MessageEvent) heard.push(`${name} ${event.lastEventId}`);
        });
      }
      Object.assign(window, { heard, source });
    },
    [url, streamingEventNames.filter((name) => name !== 'ping')] as const,
  );
}

function heardBy(page: Page): Promise<readonly string[]> {
  return page.evaluate('window.heard');
}

function hasStopped(page: Page): Promise<boolean> {
  return page.evaluate('window.source.readyState === EventSource.CLOSED');
}

/** The finished run's, read in one go. */
async function wholeStream(served: Served): Promise<string> {
  return (await fetch(streamOf(served, 'first'))).text();
}

function idsIn(stream: string): readonly string[] {
  return [...stream.matchAll(/^event: (?<name>\w+)\nid: (?<id>.*)$/gm)].map(
    ({ groups }) => `${groups?.['name']} ${groups?.['id']}`,
  );
}
