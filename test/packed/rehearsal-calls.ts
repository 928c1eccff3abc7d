/** The calls of a place's rehearsal scripts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';

export function callLog(place: Place): string {
  return join(place.folder, 'rehearsal/calls.log');
}

/** `begin <call>` and `end <call>`; a call is `<exchange>/<turn>/<try>`. */
export function callsOf(place: Place): readonly string[] {
  return existsSync(callLog(place)) ? readFileSync(callLog(place), 'utf8').split('\n').slice(0, -1) : [];
}
