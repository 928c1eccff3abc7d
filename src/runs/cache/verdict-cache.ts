/**
 * A finding that was checked once is not checked again: what the lead said of it in an earlier run, asked in the same words
 * over the same files, is taken. Only its words are: the quotation is looked up anew.
 */
import type { LeadAskInput, LeadRecalled } from '../../machine/lead/lead-types.ts';
import { readVerdicts } from '../../parsers/answers/read-verdicts.ts';
import type { Clock } from '../../system/clock.ts';
import { measuringNonce } from '../../prompts/fence.ts';
import { renderLeadMessage } from '../../prompts/lead-prompt.ts';
import type { AnswerCache } from './answer-cache.ts';
import { digestOf, sha256 } from '../../text/digest.ts';
import type { AgentKey } from './review-cache.ts';
import { timestampOf } from '../../text/timestamp.ts';

export interface VerdictRecall {
  /** Null where nothing is known of it. */
  find(input: LeadAskInput): Promise<RecalledVerdict | null>;
  /** Of verdicts that could be read; `path` is that of the first asking. */
  keep(path: string, said: { readonly text: string; readonly read: readonly string[] }): void;
}

export type RecalledVerdict =
  | (Extract<LeadRecalled, { kind: 'answered' }> & { readonly text: string })
  | Extract<LeadRecalled, { kind: 'fault' }>;

/** Who would be asked. */
export interface LeadKey extends AgentKey {
  /** What every session of it begins with. */
  readonly instructions: string;
  /** The tree of the files that it may read; null: it reads none. */
  readonly tree: string | null;
}

export interface VerdictRecallOptions {
  readonly cache: AnswerCache;
  readonly runId: string;
  readonly clock: Clock;
  /** Null where it cannot be told: then it is asked. */
  readonly lead: () => Promise<LeadKey | null>;
}

interface Asked {
  readonly key: string;
  readonly promptDigest: string;
}

export function createVerdictRecall({ cache, runId, clock, lead }: VerdictRecallOptions): VerdictRecall {
  /** By the path of the first asking: what comes of a second one, because the answer could not be read, answers it too. */
  const asked = new Map<string, Asked>();
  return {
    async find({ lead: { path, work }, message, turn, sessionId }) {
      if (message.kind !== 'verify' || message.problems.length > 0) return null;
      if (turn > 1 || sessionId !== null) return null;
      const key = await lead();
      if (key === null) return null;
      const prompt = renderLeadMessage(message, { recap: null, nonce: measuringNonce });
      const question = { key: digestOf({ lead: key, work, prompt }), promptDigest: sha256(prompt) };
      asked.set(path, question);
      const found = cache.find(question.key);
      if (found.kind === 'absent') return null;
      if (found.kind === 'broken') return { kind: 'fault', fault: found.why };
      const { answer: text, read = [], run_id, answered_at } = found.cached;
      const ids = message.findings.map(({ finding }) => finding.id);
      const isReadable = [...readVerdicts(text, ids).values()].every(({ kind }) => kind === 'read');
      if (!isReadable) return { kind: 'fault', fault: 'the cached answer is not in the agreed form' };
      return { kind: 'answered', text, read, cached: { run_id, answered_at } };
    },
    keep(path, { text, read }) {
      const question = asked.get(path);
      // Of a run that goes on the question was not seen: then nothing is kept.
      if (question === undefined) return;
      cache.keep({
        schema: 'collab.cache/v1',
        key: question.key,
        run_id: runId,
        answered_at: timestampOf(clock),
        prompt_digest: question.promptDigest,
        shown: [],
        read: [...read],
        answer: text,
      });
    },
  };
}
