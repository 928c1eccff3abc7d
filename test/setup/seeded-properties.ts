import { configureGlobal } from 'fast-check';

const seed = process.env['TEST_SEED'];

/** With `TEST_SEED`, properties that name no seed of their own draw by it, so that a run can be repeated. */
if (seed !== undefined) configureGlobal({ seed: Number(seed) });
