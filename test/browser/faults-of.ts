import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

/** Faults of the current page: light, dark, and at 360 px, without overflow. */
export async function faultsInAll(page: Page): Promise<readonly unknown[]> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  const light = await faultsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await faultsOf(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const narrow = [...(await widerThan(page, 360)), ...(await faultsOf(page))];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark, ...narrow];
}

/** Texts of the current page with a contrast below 7 : 1. */
export function lowContrasts(page: Page): Promise<readonly unknown[]> {
  return faultsOf(page, `{ runOnly: ['color-contrast-enhanced'] }`);
}

/** Serious and critical findings of axe: the rule and the place. */
async function faultsOf(page: Page, options = '{}'): Promise<readonly unknown[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(`axe.run(document, ${options})`);
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

/** Elements that make the page wider, without those that scroll by themselves. */
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
