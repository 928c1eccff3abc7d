/**
 * What every provider keeps to. A provider is the adapter to one agent; it knows no other provider and nothing of runs,
 * machines or views. Specification 003's full contract (`AiClient`, loader) is built on this seam.
 */
import type { EventBody, Usage } from '../../events/collab-event.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { Phase } from '../../tags/tags.ts';
import type { Json, Tool } from '../../tools/definition/interfaces.ts';
import type { Model, ModelOptions } from './model.ts';

export type Role = 'lead' | 'advisor';
export type AuthMode = 'api_key' | 'cli_login' | 'none';
/** What a settled answer of this provider proves (DESIGN §3). */
export type Assurance = 'model' | 'static' | 'none';

export interface Provider {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly authMode: AuthMode;
  readonly assurance: Assurance;
  /** In characters; a longer prompt is refused before it is sent. Null: no limit. */
  readonly promptLimit: number | null;
  /**
   * Begins what `probe` and `open` need, where that takes time; both work without it. Starts no model turn. With `run` the
   * agent itself is begun, as far as it is known how the run will open it.
   */
  warmUp?(environment: ProviderEnvironment, run: ExpectedRun | null): void;
  /** Ends what `warmUp` began for a run and `open` has not taken; nothing of it is left when it resolves. */
  coolDown?(stateFolder: string): Promise<void>;
  /** Can this provider work here and now? Starts no model turn. */
  probe(environment: ProviderEnvironment): Promise<Probe>;
  /** What the calls of this model cost, as far as it is known before them. Absent or null: no call tells it. Starts no model turn. */
  price?(model: string | null, environment: ProviderEnvironment): Promise<CallPrice | null>;
  /** Opens the agent as the advisor of one run. @throws CollabError `cli_missing`, `auth`, `options`, `state_folder` */
  open?(options: OpenOptions): Promise<Agent>;
  /** Opens the agent as the lead of one run. @throws as `open` */
  openLead?(options: LeadOptions): Promise<LeadAgent>;
  /** Opens a bare model, of which the loop makes an agent. @throws as `open` */
  openModel?(options: ModelOptions): Promise<Model>;
}

/** `told_after`: each call tells what it cost, and nobody knows it before. */
export type CallPrice = TokenPrice | 'told_after';

/** In US dollars for 1,000,000 tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

/** A provider that can advise. */
export type AdvisorProvider = Provider & Required<Pick<Provider, 'open'>>;

/** A provider that can lead. */
export type LeadProvider = Provider & Required<Pick<Provider, 'openLead'>>;

/** A provider that offers a model and leaves the tools to us. */
export type ModelProvider = Provider & Required<Pick<Provider, 'openModel'>>;

export interface ProviderEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the user called us: the repository, if there is one. Agents never get it as their working folder. */
  readonly cwd: string;
  /** `codex.path` and the like of the configuration; empty where nothing is configured. */
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
  /** A folder for this run, private, outside every repository; kept while the run is unfinished. */
  readonly stateFolder: string;
  /** The files under review, copied, to be read by the agent; null means the diff alone. */
  readonly reviewFolder: string | null;
  readonly limits: TurnLimits;
}

/** What is known of a run while its change is still read; a guess, but for the folder. */
export type ExpectedRun = Pick<OpenOptions, 'stateFolder' | 'reviewFolder' | 'model' | 'limits'>;

export interface LeadOptions extends Omit<OpenOptions, 'reviewFolder'> {
  /** What the lead is told about itself and its work, for the whole run. */
  readonly instructions: string;
}

export interface TurnLimits {
  /** Until the agent has answered and begun the turn. */
  readonly firstSignMs: number;
  /** Without any event. */
  readonly idleMs: number;
  /** In all; extended once by half while events still arrive. */
  readonly totalMs: number;
}

export interface AgentIdentity {
  readonly provider: string;
  /** The agent's own name, for screens: "Codex". */
  readonly displayName: string;
  readonly version: string | null;
  readonly model: string | null;
  /** What else its answers depend on, such as the digest of a script; nothing where it is left out. */
  readonly edition?: string;
  /** "ChatGPT login", "API key", null where none is needed. */
  readonly login: string | null;
  /** Host that receives the text; null where nothing leaves the machine. */
  readonly destination: string | null;
  /** Said in the first line of the run, e.g. "no repository access". */
  readonly remarks: readonly string[];
}

/** A live agent. Turns may run in parallel, each on its own session. */
export interface Agent {
  readonly identity: AgentIdentity;
  /** One agent call, prompt to final answer. Returns what went wrong; rejects only for our own bugs and for an abort. */
  turn(request: TurnRequest): Promise<TurnResult>;
  /**
   * What became of a turn whose record was lost: asked once, when a run goes on. Never makes a model request. `callId` is
   * the lost turn's, or what the ids of all its tries begin with (up to a `/`): a session's last turn may be an earlier,
   * finished one. The text comes as the agent wrote it, not masked.
   */
  harvest(sessionId: string, callId: string): Promise<Harvest>;
  /** Ends the agent and every process it started. Safe to call twice. */
  close(): Promise<void>;
}

/** An agent that needs the prompt alone. */
export interface PromptAgent extends Pick<Agent, 'close'> {
  turn(call: TurnCall): Promise<TurnResult>;
}

/** The lead, alive. It has one session for its phases; answers to reverse requests are sessions of their own. */
export interface LeadAgent {
  readonly identity: AgentIdentity;
  /** Whether it can change files. */
  readonly edits: boolean;
  /** As `Agent.turn`. A turn with `access: 'edit'` changes files of `work.folder` and nothing else. */
  turn(request: LeadTurnRequest): Promise<TurnResult>;
  /** As `Agent.harvest`. */
  harvest(sessionId: string, callId: string): Promise<Harvest>;
  /** As `Agent.close`. */
  close(): Promise<void>;
}

export const leadWorks = ['draft', 'settle', 'implement', 'answer_back', 'verify', 'converse'] as const;

/** What a turn of the lead is for. */
export interface LeadWork {
  readonly kind: (typeof leadWorks)[number];
  readonly phase: Phase;
  /** 1 for the first pass through the phase. */
  readonly round: number;
  readonly access: 'read' | 'edit';
  /** The folder whose files the lead may read and, with `edit`, change; null: it sees none. */
  readonly folder: string | null;
}

export interface LeadTurnRequest extends TurnCall {
  readonly work: LeadWork;
  /** What the agent uses in place of every tool of its own; absent: its own. */
  readonly tools?: HandedTools;
}

/** Tools of ours in the hands of an agent. Whoever hands them over decides what may run, and tells of each call. */
export interface HandedTools {
  readonly offered: readonly Tool[];
  /** Every refusal is an outcome; rejects only for our own bugs and for an abort. */
  call(call: HandedCall, signal: AbortSignal): Promise<HandedOutcome>;
}

export interface HandedCall {
  /** In events. */
  readonly id: string;
  readonly name: string;
  readonly args: Json;
}

export interface HandedOutcome {
  readonly content: string;
  readonly isError: boolean;
}

export interface TurnRequest extends TurnCall {
  readonly request: ConsultRequest;
}

/** What every call of an agent has. */
export interface TurnCall {
  readonly prompt: string;
  /** Our id of this call; the agent's records may carry it. */
  readonly callId: string;
  /** The agent's session to go on in; null starts a fresh one. */
  readonly sessionId: string | null;
  readonly signal: AbortSignal;
  /** Of this turn; absent: those that the agent was opened with. */
  readonly limits?: TurnLimits;
  readonly emit: (event: EventBody) => void;
  /** Called once with the agent's session id, before the prompt is sent; the turn goes on when it resolves. */
  readonly bind: (sessionId: string) => Promise<void>;
}

export type TurnResult =
  | {
      readonly kind: 'answered';
      readonly text: string;
      /** The kinds of the secrets that the run covered in the text; an adapter says nothing of it. */
      readonly covered?: readonly string[];
      readonly sessionId: string | null;
      readonly usage: Usage | null;
      readonly stopReason: string | null;
    }
  | {
      readonly kind: 'timed_out';
      readonly limit: 'first_sign' | 'idle' | 'total' | 'context';
      readonly message: string;
      readonly sessionId: string | null;
    }
  | {
      readonly kind: 'overloaded';
      readonly message: string;
      readonly retryAfterMs: number | null;
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
      /** Null where a session was asked for that is gone: nothing was sent. */
      readonly sessionId: string | null;
      /** Ended by us for another turn's sake: costs no rung. */ readonly uncounted: boolean;
    };

export type UnavailableCode = 'cli_missing' | 'auth' | 'quota' | 'model' | 'options' | 'died' | 'internal';

export type Harvest =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly covered?: readonly string[];
      readonly usage: Usage | null;
    }
  /** The turn was sent and cut: one short turn asks for the whole answer again, counted as the one repeat. */
  | { readonly kind: 'interrupted' }
  /** It was never sent: ask afresh, not counted. */
  | { readonly kind: 'not_sent' };
