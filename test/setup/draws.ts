import { readConfigureGlobal } from 'fast-check';

/** So many draws of a property, or as few as the run asks for. */
export function draws(count: number): { readonly numRuns: number } {
  return { numRuns: Math.min(count, readConfigureGlobal().numRuns ?? count) };
}
