import { CollabError } from '../../errors/collab-error.ts';
import type { Probe } from './contract.ts';

/** Returns the result of a probe that was refused. @throws the error itself if it is not a `CollabError` */
export function refusedProbe(error: unknown, usualHint = ''): Probe {
  if (!(error instanceof CollabError)) throw error;
  const { code, message, hint } = error;
  const isKnown = code === 'cli_missing' || code === 'auth';
  return { ready: false, code: isKnown ? code : 'options', message, hint: hint ?? usualHint };
}
