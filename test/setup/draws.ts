import { readConfigureGlobal } from 'fast-check';

/** This number of draws of a property, or fewer if the run sets a lower number. */
export function draws(count: number): { readonly numRuns: number } {
  return { numRuns: Math.min(count, readConfigureGlobal().numRuns ?? count) };
}
