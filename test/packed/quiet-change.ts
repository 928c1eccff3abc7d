import { readFileSync } from 'node:fs';
import { example, type Place } from './place.ts';

/** Writes a change of three folders in which rules find nothing; returns its name. `graded-shipping` finds something in it. */
export function writeQuietChange(place: Place): string {
  const diff = readFileSync(example('harmless.diff'), 'utf8');
  const folders = ['north', 'south', 'east'].map((name) => diff.replaceAll('src/checkout/', `src/${name}/`));
  place.write('quiet.diff', folders.join(''));
  return 'quiet.diff';
}
