/** Chromium's own EventSource, which has no code of ours, on the real server. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { streamingEventNames } from '../../../src/views/stream/event.ts';
import { example, type Place } from '../../packed/place.ts';
import { serve, streamOf, type Served } from '../../packed/serve/served.ts';
import { cuttingProxy } from '../cutting-proxy.ts';
import { startRun } from '../served-page.ts';
import { executor, test } from '../served-visitor.ts';

const streamNames = streamingEventNames.filter((name) => name !== 'ping');

test('X002-12.4,6 an EventSource that is cut continues behind its last event, and stops after the last one', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await review(place, 'four-chunks');
  const { url, cutAfter, broken } = await cuttingProxy(served.url);
  await page.goto(`${url}/api/health`);
  cutAfter([700, 1500, 1500]);
  await hear(page, streamOf({ ...served, url }, 'first'), streamNames);
  await expect.poll(() => hasStopped(page), { timeout: 30_000 }).toBe(true);
  expect(await heardBy(page)).toEqual(framesIn(await wholeStream(served)));
  expect(broken()).toBe(3);
});

test('a reader without event names gets the records; it reconnects after each cut, and stops after the last one', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await reviewer(place, 'four-chunks');
  const { url, cutAfter, broken } = await cuttingProxy(served.url);
  await page.goto(`${url}/api/health`);
  const input = { diff: readFileSync(example('checkout.diff'), 'utf8') };
  const run = await startRun(served, 'first', { kind: 'review', input });
  const records = `/api/tenants/local/conversations/first/runs/${run}/events`;
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url() === `${url}${records}`) statuses.push(response.status());
  });
  cutAfter([3000, 4000, 5000]);
  await hear(page, records, ['message']);
  await expect.poll(() => hasStopped(page), { timeout: 30_000 }).toBe(true);
  const whole = framesIn(await (await fetch(`${served.url}${records}`)).text());
  expect(whole.at(-1)).toContain('"type":"run.ended"');
  expect(await heardBy(page)).toEqual(whole);
  expect(broken()).toBe(3);
  expect(statuses).toEqual([200, 200, 200, 200, 204]);
});

test('X002-12.6 so does one whose server is killed and started again in mid-run', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const served = await review(place, 'four-chunks-slow');
  await page.goto(`${served.url}/api/health`);
  await hear(page, streamOf(served, 'first'), streamNames);
  const asked = async () => (await heardBy(page)).filter((event) => event.startsWith('subagent_start'));
  await expect.poll(asked, { timeout: 30_000 }).toHaveLength(3);
  await served.kill();
  await served.start();
  await expect.poll(() => hasStopped(page), { timeout: 30_000 }).toBe(true);
  const whole = await wholeStream(served);
  expect(await heardBy(page)).toEqual(framesIn(whole));
  expect(whole).toMatch(/^event: done\n.*\n.*"status":"success"/m);
});

/** A server on which a review has started; the client that started it has left (R002-6). */
async function review(place: Place, script: string): Promise<Served> {
  const served = await reviewer(place, script);
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

function reviewer(place: Place, script: string): Promise<Served> {
  place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
  return serve(place, ['--advisor', place.rehearsal(script)]);
}

async function hear(page: Page, url: string, names: readonly string[]): Promise<void> {
  await page.evaluate(
    ([from, wanted]) => {
      const heard: string[] = [];
      const source = new EventSource(from);
      const hearIt = (event: Event) => {
        // A connection that breaks is an `error` too, of another class.
        if (event instanceof MessageEvent) heard.push(`${event.type} ${event.lastEventId} ${event.data}`);
      };
      for (const name of wanted) source.addEventListener(name, hearIt);
      Object.assign(window, { heard, source });
    },
    [url, names] as const,
  );
}

function heardBy(page: Page): Promise<readonly string[]> {
  return page.evaluate('window.heard');
}

function hasStopped(page: Page): Promise<boolean> {
  return page.evaluate('window.source.readyState === EventSource.CLOSED');
}

/** The events of the finished run, read by one request. */
async function wholeStream(served: Served): Promise<string> {
  return (await fetch(streamOf(served, 'first'))).text();
}

/** Without the pings, which have no id. An event without a name is a `message`. */
function framesIn(stream: string): readonly string[] {
  const frames = stream.matchAll(/^(?:event: (?<name>\w+)\n)?id: (?<id>.*)\ndata: (?<data>.*)$/gm);
  return [...frames].map(
    ({ groups }) => `${groups?.['name'] ?? 'message'} ${groups?.['id']} ${groups?.['data']}`,
  );
}
