/** Settings of V8 for a program that ends after some seconds. V8 reads them while it runs. */
import { setFlagsFromString } from 'node:v8';

const shared = [
  // The young generation, where objects begin, stays at its first size of 1 MiB: it grows to 16 MiB in the first second.
  '--semi-space-growth-factor=1',
  // A pattern becomes machine code at its 50th use instead of its second, or for a long text.
  '--regexp-tier-up-ticks=50',
  // Until then it is interpreted; the pass that shortens that code takes longer than it saves.
  '--no-regexp-peephole-optimization',
];

/** Flags for each major version of V8, those of Node 20, 22 and 24. Another one might print that it has no such flag. */
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  // Functions are optimized after six times as much work: most of them never repay it. Later versions wait by themselves.
  11: [...shared, '--interrupt-budget=400000'],
  12: shared,
  13: shared,
};

/** Sets V8 up, from now on, for a command that ends soon. */
export function expectShortRun(v8 = process.versions.v8, setFlags = setFlagsFromString): void {
  for (const flag of flagsOf[v8.split('.')[0] ?? ''] ?? []) setFlags(flag);
}
