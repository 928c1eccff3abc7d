import { configureGlobal } from 'fast-check';

/** A mutant is tested with fewer draws, and its counterexample is not shrunk: a run has thousands of mutants. */
configureGlobal({ numRuns: 8, endOnFailure: true });
