/** A review of a commit with two faults, and a lead that fixes one and refuses the other. */
import type { Page } from 'playwright-core';
import { advises, issue, leads, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import type { Place } from '../../packed/place.ts';
import type { Served } from '../../packed/serve/served.ts';
import { shared } from '../../packed/shared-place.ts';
import { addressOf, servePair, startRun, untilEnded, type RunPlace } from '../served-page.ts';

const lines = ['export const one = 0;', 'export const two = 3;'];

/** The text that the lead writes. */
export const fixedFile = `export const one = 1;\n${lines[1]}\n`;

const script = scriptOf(
  advises({ tag: '[REQUEST:REVIEW]', contains: 'Findings that the change is meant to fix' }, review('None'), {
    repeat: 'forever',
  }),
  advises(
    { tag: '[REQUEST:REVIEW]' },
    review(
      [
        issue('Important', 'One is zero', lines[0] ?? ''),
        issue('Minor', 'Two is three', lines[1] ?? ''),
      ].join('\n'),
    ),
    { repeat: 'forever' },
  ),
  leads({ work: 'implement' }, 'F1: fixed\nF2: refused: two is three here.\n', {
    repeat: 'forever',
    edits: [{ path: 'src/one.js', content: fixedFile }],
  }),
);

/** One server for all tests of a file, of a repository whose last commit has the faults. */
export function faultyServer(): () => FaultyServer {
  return shared(async (place) => {
    const served = await servePair(place, script);
    place.write('.gitignore', 'pair.yaml\ncalls.log\n');
    place.write('src/one.js', `${lines.join('\n')}\n`);
    place.git('add', '--all');
    place.git('commit', '-q', '-m', 'the change');
    return { place, served };
  });
}

export interface FaultyServer {
  readonly place: Place;
  readonly served: Served;
}

/** Reviews the last commit in a conversation of its own. */
export async function reviewFaults({ served }: FaultyServer, conversation: string): Promise<RunPlace> {
  const request = { kind: 'review', input: { commit: 'HEAD' }, effort: 'quick', include: ['src/**'] };
  const run = [conversation, await startRun(served, conversation, request)] as const;
  await untilEnded(served, run);
  return run;
}

export async function openReview(page: Page, { served }: FaultyServer, run: RunPlace): Promise<void> {
  await page.goto(addressOf(served, run, 'review'));
  await page.locator('article.finding').first().waitFor();
}

export async function speak(page: Page, language: 'en' | 'ja'): Promise<void> {
  await page.getByRole('combobox', { name: /^(?:Language|言語)$/ }).selectOption(language);
}
