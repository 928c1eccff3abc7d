/** A run as spans of time: the run, its phases, steps, paid calls, nested agents, tools and questions. */
import type { Phase } from '../../tags/tags.ts';
import type { AgentCall } from '../../review/outcome/usage.ts';

export interface TraceSpan {
  /** 16 hex digits. The same run has the same ids whenever it is read. */
  readonly id: string;
  /** The id of the span above; null for the run. */
  readonly parentId: string | null;
  /** Microseconds since 1970. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** True if it was not over at the last record; it then ends there. */
  readonly isOpen: boolean;
  /** One word for the failure; null if it did not fail. */
  readonly fault: string | null;
  readonly detail: SpanDetail;
}

/** No text of a prompt, an answer, a question or a tool is part of it. */
export type SpanDetail =
  | TracedRunDetail
  | { readonly kind: 'phase'; readonly phase: Phase; readonly round: number }
  | { readonly kind: 'step'; readonly step: string; readonly attempt: number }
  | { readonly kind: 'call'; readonly call: AgentCall }
  | { readonly kind: 'agent'; readonly type: string; readonly provider: string }
  | { readonly kind: 'tool'; readonly name: string; readonly callId: string }
  | {
      readonly kind: 'question';
      readonly name: string;
      readonly asks: string;
      readonly answeredBy: string | null;
    };

export interface TracedRunDetail {
  readonly kind: 'run';
  readonly runId: string;
  readonly conversationId: string;
  /** `review`, `run`, `fix` or `consult`; null for a run of another version, and for a turn. */
  readonly runKind: string | null;
  readonly state: string;
  readonly outcome: string | null;
}

export interface RunTrace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** Parents are before their children, and siblings in the order of their start. */
  readonly spans: readonly TraceSpan[];
}
