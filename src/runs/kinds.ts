import type { RunInput } from './folder/run-input.ts';
import type { RunKind } from './run-kind.ts';

const kinds: { readonly [Kind in RunInput['kind']]: () => Promise<RunKind> } = {
  review: async () => (await import('./review/drive.ts')).reviewKind,
  consult: async () => (await import('./consult/drive.ts')).consultKind,
  fix: async () => (await import('./workflow/drive.ts')).fixKind,
  workflow: async () => (await import('./workflow/drive.ts')).workflowKind,
};

/** Loads the kind of a run. */
export function loadKind({ kind }: Pick<RunInput, 'kind'>): Promise<RunKind> {
  return kinds[kind]();
}
