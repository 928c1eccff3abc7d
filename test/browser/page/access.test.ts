/** Accessibility of every view: axe finds no serious fault, at 360 px, in the dark theme. */
import { readFileSync } from 'node:fs';
import { example } from '../../packed/place.ts';
import { addressOf, rehearsedReview, reviewedOnce, sharedServer, type RunPlace } from '../served-page.ts';
import { faultsInAll } from '../faults-of.ts';
import { test } from '../visitor.ts';

const diff = readFileSync(example('checkout.diff'), 'utf8');
const world = sharedServer(rehearsedReview());
const reviewed = reviewedOnce(world.served, 'reviewed', diff);

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
  '%s has no serious accessibility fault, in light and dark, and fits 360 px',
  async ([, address], { visitor: { page }, expect }) => {
    await page.goto(await address(reviewed));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await faultsInAll(page)).toEqual([]);
  },
);
