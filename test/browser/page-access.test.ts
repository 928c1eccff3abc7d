/** Every view for everybody: no serious fault that axe finds, at 360 px, in the dark. */
import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { scriptOf } from '../contract/workflow/workflow-script.ts';
import { example } from '../packed/place.ts';
import {
  addressOf,
  rehearsedReview,
  servePair,
  sharedServer,
  startRun,
  untilEnded,
  type RunPlace,
} from './served-page.ts';
import { test as placeTest } from './served-visitor.ts';
import { test } from './visitor.ts';

const diff = readFileSync(example('checkout.diff'), 'utf8');
const world = sharedServer(rehearsedReview());

const views: readonly (readonly [string, (place: () => Promise<RunPlace>) => Promise<string>])[] = [
  ['the first page', async () => world.served().url],
  ['the start of a review', async () => `${world.served().url}/#/new/review`],
  ['the start of a task', async () => `${world.served().url}/#/new/run`],
  ['a new conversation', async () => `${world.served().url}/#/c/nothing`],
  ['a conversation', async (place) => `${world.served().url}/#/c/${(await place())[0]}`],
  ['a timeline', async (place) => addressOf(world.served(), await place(), 'timeline')],
  ['the exchanges', async (place) => addressOf(world.served(), await place(), 'exchanges')],
  ['a review', async (place) => addressOf(world.served(), await place(), 'review')],
  ['the usage', async (place) => addressOf(world.served(), await place(), 'usage')],
  ['a run that is not there', async () => addressOf(world.served(), ['nothing', 'nothing'])],
];

test.for(views)(
  '%s has no serious fault, in light and dark, and fits 360 px',
  async ([, address], { visitor: { page }, expect }) => {
    await page.goto(await address(reviewed));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await faultsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await widerThan(page, 360)).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
  },
);

placeTest('a question has no serious fault', async ({ visitor: { page }, place, expect }) => {
  const served = await servePair(place, scriptOf());
  const run = await startRun(served, 'gate', { kind: 'run', task: 'Write one.', phases: ['design'] });
  await page.goto(addressOf(served, ['gate', run]));
  await page.getByRole('heading', { name: 'The run asks for your decision' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

let review: Promise<RunPlace> | null = null;

/** A review that has ended; made once. */
function reviewed(): Promise<RunPlace> {
  review ??= (async () => {
    const run = [
      'reviewed',
      await startRun(world.served(), 'reviewed', { kind: 'review', input: { diff } }),
    ] as const;
    await untilEnded(world.served(), run);
    return run;
  })();
  return review;
}

/** What axe finds serious or critical: the rule, and where. */
async function faultsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  const found = await page.evaluate('axe.run(document)');
  return faultsSchema
    .parse(found)
    .violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))]);
}

const faultsSchema = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullish(),
      nodes: z.array(z.object({ html: z.string() })),
    }),
  ),
});

/** What makes the page wider; what scrolls by itself may be as wide as it likes. */
function widerThan(page: Page, width: number): Promise<readonly string[]> {
  return page.evaluate((most) => {
    if (document.documentElement.scrollWidth <= most) return [];
    const all = [...document.querySelectorAll('body *')];
    const wide = all.filter((element) => element.getBoundingClientRect().right > most);
    return wide.map(
      ({ outerHTML, parentElement }) => `${parentElement?.tagName} > ${outerHTML.slice(0, 100)}`,
    );
  }, width);
}
