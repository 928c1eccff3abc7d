/** Reads the answer of a judge. */
import { z } from 'zod';
import type { JudgeQuestion } from './judge.ts';

const verdictSchema = z.object({ same: z.array(z.coerce.string()) });

/** Takes the last JSON object of the text. @throws Error for another answer, and for a fault that was not asked about */
export function readVerdict(text: string, { faults }: JudgeQuestion): readonly string[] {
  const verdict = verdictSchema.safeParse(lastObject(text));
  if (!verdict.success)
    throw new Error(`the judge did not answer with {"same": [...]}: ${text.slice(0, 200)}`);
  const unknown = verdict.data.same.find((id) => faults.every((fault) => fault.id !== id));
  if (unknown !== undefined) throw new Error(`the judge names fault ${unknown}, which is not in the list`);
  return [...new Set(verdict.data.same)];
}

function lastObject(text: string): unknown {
  const match = text.match(/\{[^{}]*\}/g)?.at(-1);
  try {
    return JSON.parse(match ?? '');
  } catch {
    return null;
  }
}
