/**
 * Does not check the same finding twice: the verdict from an earlier run is used if the wording and the files
 * are the same. Only its text is used: the quotation is looked up again.
 */
import type { LeadAskInput, LeadRecalled } from '../../machine/lead/lead-types.ts';
import type { Clock } from '../../system/clock.ts';
import { measuringNonce } from '../../prompts/fence.ts';
import { renderLeadMessage } from '../../prompts/lead/lead-prompt.ts';
import type { AnswerCache } from './answer-cache.ts';
import { digestOf, sha256 } from '../../text/digest.ts';
import { reader } from '../reading/reader.ts';
import type { AgentKey } from './review-cache.ts';
import { timestampOf } from '../../text/timestamp.ts';

export interface VerdictRecall {
  /** Returns null if nothing is cached for it. */
  find(input: LeadAskInput): Promise<RecalledVerdict | null>;
  /** Keeps verdicts that could be read; `path` is that of the first question. */
  keep(path: string, said: SaidVerdicts): void;
}

interface SaidVerdicts {
  readonly text: string;
  /** The nonce of the closing line that the prompt requested. */
  readonly closing: string;
  readonly read: readonly string[];
}

export type RecalledVerdict =
  | (Extract<LeadRecalled, { kind: 'answered' }> & { readonly text: string })
  | Extract<LeadRecalled, { kind: 'fault' }>;

/** The agent that checks: the lead of the run, or its advisor. */
export interface LeadKey extends AgentKey {
  /** The first text of each of its sessions. */
  readonly instructions: string;
  /** The tree of the files that it may read; null: it reads none. */
  readonly tree: string | null;
}

export interface VerdictRecallOptions {
  readonly cache: AnswerCache;
  readonly runId: string;
  readonly clock: Clock;
  /** Returns null if the key cannot be determined: then the lead is asked. */
  readonly lead: () => Promise<LeadKey | null>;
}

interface Asked {
  readonly key: string;
  readonly promptDigest: string;
}

export function createVerdictRecall({ cache, runId, clock, lead }: VerdictRecallOptions): VerdictRecall {
  /**
   * Keyed by the path of the first question: if the answer could not be read, the answer to the second question is kept
   * under it too.
   */
  const asked = new Map<string, Asked>();
  return {
    async find({ lead: { path, work }, message, turn, sessionId }) {
      if (message.kind !== 'verify' || message.problems.length > 0) return null;
      if (turn > 1 || sessionId !== null) return null;
      const key = await lead();
      if (key === null) return null;
      const prompt = renderLeadMessage(message, {
        recap: null,
        nonce: measuringNonce,
        closing: measuringNonce,
      });
      const question = { key: digestOf({ lead: key, work, prompt }), promptDigest: sha256(prompt) };
      asked.set(path, question);
      const found = cache.find(question.key);
      if (found.kind === 'absent') return null;
      if (found.kind === 'broken') return { kind: 'fault', fault: found.why };
      const { answer: text, read = [], run_id, answered_at, closing } = found.cached;
      const ids = message.findings.map(({ finding }) => finding.id);
      const readings = await reader.verdicts(text, ids);
      const isReadable = [...readings.values()].every(({ kind }) => kind === 'read');
      if (!isReadable) return { kind: 'fault', fault: 'the cached answer is not in the agreed form' };
      const cached = { run_id, answered_at };
      return { kind: 'answered', text, read, cached, ...(closing === undefined ? {} : { closing }) };
    },
    keep(path, { text, closing, read }) {
      const question = asked.get(path);
      // A resumed run has not seen the question: then nothing is kept.
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
        closing,
      });
    },
  };
}
