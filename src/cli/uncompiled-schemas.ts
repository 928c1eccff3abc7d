import { config } from 'zod';

/**
 * Turns off zod's compilation of each schema at its first use, which takes longer than a program of a few
 * seconds gains from it. Schemas read this setting when they are created, so call it first.
 */
export function leaveSchemasUncompiled(): void {
  config({ jitless: true });
}
