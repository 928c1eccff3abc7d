/**
 * The contract of every provider. A provider is the adapter to one agent; it does not use other providers, runs, machines or
 * views. Specification 003's full contract (`AiClient`, loader) is built on this one.
 */
import type { TurnLimits } from '../../config/settings.ts';
import type { EventBody, Usage } from '../../events/collab-event.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { Assurance } from '../../review/outcome/coverage.ts';
import type { Phase } from '../../tags/tags.ts';
import type { Json, Tool } from '../../tools/definition/interfaces.ts';
import type { Model, ModelOptions } from './model.ts';

export type Role = 'lead' | 'advisor';
export type AuthMode = 'api_key' | 'cli_login' | 'none';

export interface Provider {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly authMode: AuthMode;
  readonly assurance: Assurance;
  /** In characters; a longer prompt is refused before it is sent; null if unlimited. */
  readonly promptLimit: number | null;
  /**
   * Prepares `probe` and `open` if that takes time; both work without it. Starts no model turn. With `run`, also
   * starts the agent, as far as it is known how the run will open it.
   */
  warmUp?(environment: ProviderEnvironment, run: ExpectedRun | null): void;
  /** Ends what `warmUp` started for a run and `open` did not use; no part of it is left when this resolves. */
  coolDown?(stateFolder: string): Promise<void>;
  /** Checks whether this provider can work here and now. Starts no model turn. */
  probe(environment: ProviderEnvironment): Promise<Probe>;
  /**
   * Returns the price of this model's calls, as far as it is known in advance. If absent or null, no call reports a price.
   * Starts no model turn.
   */
  price?(model: string | null, environment: ProviderEnvironment): Promise<CallPrice | null>;
  /**
   * Returns true if the agent, as the advisor, can check findings in a fresh thread. Default: if it is a model. Starts
   * no model turn.
   */
  verifies?(model: string | null, environment: ProviderEnvironment): Promise<boolean>;
  /** Opens the agent as the advisor of one run. @throws CollabError `cli_missing`, `auth`, `options`, `state_folder` */
  open?(options: OpenOptions): Promise<Agent>;
  /** Opens the agent as the lead of one run. @throws like `open` */
  openLead?(options: LeadOptions): Promise<LeadAgent>;
  /** Opens a bare model, of which the loop makes an agent. @throws like `open` */
  openModel?(options: ModelOptions): Promise<Model>;
}

/** `told_after`: each call reports its cost, which is unknown before. */
export type CallPrice = TokenPrice | 'told_after';

/** In US dollars per 1,000,000 tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

/** A provider that can be the advisor. */
export type AdvisorProvider = Provider & Required<Pick<Provider, 'open'>>;

/** A provider that can be the lead. */
export type LeadProvider = Provider & Required<Pick<Provider, 'openLead'>>;

/** A provider that offers a model and leaves the tools to us. */
export type ModelProvider = Provider & Required<Pick<Provider, 'openModel'>>;

export interface ProviderEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the user called us: the repository, if there is one. It is never an agent's working folder. */
  readonly cwd: string;
  /** Settings of the configuration such as `codex.path`; empty if none is set. */
  readonly settings: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type Probe =
  | {
      readonly ready: true;
      readonly version: string | null;
      readonly login: string | null;
      readonly model: string | null;
    }
  | {
      readonly ready: false;
      readonly code: 'cli_missing' | 'auth' | 'options';
      readonly message: string;
      readonly hint: string;
    };

export interface OpenOptions extends ProviderEnvironment {
  readonly runId: string;
  readonly model: string | null;
  /** A private folder for this run, outside every repository; kept while the run is unfinished. */
  readonly stateFolder: string;
  /** A copy of the files under review for the agent to read; null means the diff alone. */
  readonly reviewFolder: string | null;
  readonly limits: TurnLimits;
}

/** The known facts of a run while its change is still being read; all but the folder are a guess. */
export type ExpectedRun = Pick<OpenOptions, 'stateFolder' | 'reviewFolder' | 'model' | 'limits'>;

export interface LeadOptions extends Omit<OpenOptions, 'reviewFolder'> {
  /** The lead's instructions for the whole run. */
  readonly instructions: string;
}

export interface AgentIdentity {
  readonly provider: string;
  /** The agent's display name: "Codex". */
  readonly displayName: string;
  readonly version: string | null;
  readonly model: string | null;
  /** Anything else its answers depend on, such as the digest of a script. Default: nothing. */
  readonly edition?: string;
  /** "ChatGPT login", "API key"; null if none is needed. */
  readonly login: string | null;
  /** Host that receives the text; null if no text leaves the machine. */
  readonly destination: string | null;
  /** Remarks for the first lines of the run, such as "no repository access". */
  readonly remarks: readonly string[];
}

/** A live agent. Turns may run in parallel, each in its own session. */
export interface Agent {
  readonly identity: AgentIdentity;
  /** True if `interrupt` ends its turns; others ignore it. */
  readonly interruptible?: true;
  /**
   * Makes one agent call, from prompt to final answer. Returns failures as a result; rejects only for our own bugs and for an
   * abort.
   */
  turn(request: TurnRequest): Promise<TurnResult>;
  /**
   * Finds out, once when a run is resumed, how a turn ended whose record was lost. Never makes a model request. `callId` is
   * the lost turn's, or the common start of the ids of all its attempts (up to a `/`): a session's last turn may be an
   * earlier, finished one. Returns the agent's text unmasked.
   */
  harvest(sessionId: string, callId: string): Promise<Harvest>;
  /** Ends the agent and every process it started. Safe to call twice. */
  close(): Promise<void>;
}

/** An agent that needs only the prompt. */
export interface PromptAgent extends Pick<Agent, 'close'> {
  turn(call: TurnCall): Promise<TurnResult>;
}

/** A live lead. It has one session for its phases; answers to reverse requests are sessions of their own. */
export interface LeadAgent extends Pick<Agent, 'identity' | 'harvest' | 'close'> {
  /** True if it can change files. */
  readonly edits: boolean;
  /** Works like `Agent.turn`. A turn with `access: 'edit'` changes files of `work.folder` and no others. */
  turn(request: LeadTurnRequest): Promise<TurnResult>;
}

export const leadWorks = ['draft', 'settle', 'implement', 'answer_back', 'verify', 'converse'] as const;

/** The purpose of a lead's turn. */
export interface LeadWork {
  readonly kind: (typeof leadWorks)[number];
  readonly phase: Phase;
  /** 1 for the first pass through the phase. */
  readonly round: number;
  readonly access: 'read' | 'edit';
  /** The folder whose files the lead may read and, with `edit`, change; null if it sees none. */
  readonly folder: string | null;
}

export interface LeadTurnRequest extends TurnCall {
  readonly work: LeadWork;
  /** Replaces all tools of the agent. Default: its own. */
  readonly tools?: HandedTools;
}

/** Our tools, passed to an agent. The caller that passes them decides what may run, and reports each call. */
export interface HandedTools {
  readonly offered: readonly Tool[];
  /** Runs a call. Every refusal is an outcome; rejects only for our own bugs and for an abort. */
  call(call: HandedCall, signal: AbortSignal): Promise<HandedOutcome>;
}

export interface HandedCall {
  /** The call's id in events. */
  readonly id: string;
  readonly name: string;
  readonly args: Json;
}

export interface HandedOutcome {
  readonly content: string;
  readonly isError: boolean;
}

export interface TurnRequest extends TurnCall {
  /** The request of the exchange; null for a check of findings, which only the prompt describes. */
  readonly request: ConsultRequest | null;
}

/** The common part of every call of an agent. */
export interface TurnCall {
  readonly prompt: string;
  /** Our id of this call; the agent's records may contain it. */
  readonly callId: string;
  /** The agent's session to continue; null starts a fresh one. */
  readonly sessionId: string | null;
  readonly signal: AbortSignal;
  /** Ends the turn at the agent, which then continues with others. The result is `cut` and uncounted. */
  readonly interrupt?: AbortSignal;
  /** Limits of this turn. Default: those of the opened agent. */
  readonly limits?: TurnLimits;
  readonly emit: (event: EventBody) => void;
  /** Called once with the agent's session id, before the prompt is sent; the turn continues when it resolves. */
  readonly bind: (sessionId: string) => Promise<void>;
}

export type TurnResult =
  | {
      readonly kind: 'answered';
      readonly text: string;
      /** The kinds of the secrets that the run masked in the text; adapters leave it out. */
      readonly covered?: readonly string[];
      readonly sessionId: string | null;
      readonly usage: Usage | null;
      readonly stopReason: string | null;
    }
  | {
      readonly kind: 'timed_out';
      readonly limit: 'first_sign' | 'first_byte' | 'idle' | 'total' | 'context';
      readonly message: string;
      readonly sessionId: string | null;
    }
  | {
      readonly kind: 'overloaded';
      readonly message: string;
      readonly retryAfterMs: number | null;
      /** No server was reached: connection refused, unknown host. */
      readonly unreachable?: true;
      readonly sessionId: string | null;
    }
  | {
      readonly kind: 'unavailable';
      readonly code: UnavailableCode;
      readonly message: string;
      readonly hint: string;
    }
  | { readonly kind: 'empty'; readonly message: string; readonly sessionId: string | null }
  | {
      readonly kind: 'cut';
      readonly message: string;
      /** The session; null if the requested one no longer exists, in which case nothing was sent. */
      readonly sessionId: string | null;
      /** True if we ended it for another turn's sake, which uses no rung. */
      readonly uncounted: boolean;
    };

export type UnavailableCode = 'cli_missing' | 'auth' | 'quota' | 'model' | 'options' | 'died' | 'internal';

export type Harvest =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly covered?: readonly string[];
      readonly usage: Usage | null;
      /** The stop reason, if the agent's records contain it. */
      readonly stopReason?: string;
    }
  /** The turn was sent and cut: one short turn requests the whole answer again, counted as the one repeat. */
  | { readonly kind: 'interrupted' }
  /** The turn was never sent: repeat the request, not counted. */
  | { readonly kind: 'not_sent' };
