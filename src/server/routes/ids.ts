/** Ids of tenants, conversations and runs in a path (X002-26). No id becomes part of a file path before it is checked here. */
import { z } from 'zod';
import { Refusal } from './problem.ts';

export const idPattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;

export const idSchema = z.string().regex(idPattern);

/** @throws Refusal 400 */
export function readId(kind: string, text: string | undefined): string {
  if (text !== undefined && idPattern.test(text)) return text;
  throw new Refusal({
    status: 400,
    detail: `The id of the ${kind} is invalid`,
    hint: 'use 1 to 128 letters, digits, dots, underscores and hyphens, but not "." or ".."',
  });
}
