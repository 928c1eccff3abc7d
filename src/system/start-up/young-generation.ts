/** V8's young generation, where objects begin: it grows to 16 MiB in the first second of a program that parses much. */
import { setFlagsFromString } from 'node:v8';

/** Versions of V8 in Node 20, 22 and 24. Another one might print that it has no such flag. */
const knownMajors: readonly (string | undefined)[] = ['11', '12', '13'];

/** Keeps it at its first size, 1 MiB, from now on: for a command that ends soon. */
export function keepYoungGenerationSmall(v8 = process.versions.v8, setFlags = setFlagsFromString): void {
  if (knownMajors.includes(v8.split('.')[0])) setFlags('--semi-space-growth-factor=1');
}
