/** A complete server on its own port, with a lead that replies as a test says, and readers of its streams. */
import { basename } from 'node:path';
import { onTestFinished } from 'vitest';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import { createFrameReader, type StreamFrame } from '../client/read-frames.ts';
import { createToolPolicy } from '../loop/tool-policy.ts';
import type { Clock } from '../system/clock.ts';
import { systemClock } from '../system/clock.ts';
import type { ConversationAnswerer, ConversationQuestion } from '../runs/conversation/answerer.ts';
import { identity } from '../runs/conversation/conversation.test-helper.ts';
import { prepareRehearsed } from '../runs/rehearsed-review.test-helper.ts';
import { openRun } from '../runs/folder/opened-run.ts';
import type { StartRequest } from '../runs/start/start-request.ts';
import type { Tool } from '../tools/definition/interfaces.ts';
import type { StreamingOptions } from '../views/stream/projection.ts';
import { openConversations, type Conversations } from './conversations/conversations.ts';
import type { LeadCall, RunPorts } from './runs/run-ports.ts';
import { startHttpServer, type RunningServer, type HttpServerOptions } from './start-server.ts';

/** One turn of the lead. */
export type Turn = (question: ConversationQuestion) => ReturnType<ConversationAnswerer['answer']>;

export interface ServedOptions {
  /** The lead's turns; the last one repeats. */
  readonly turns?: readonly Turn[];
  readonly tools?: readonly Tool[];
  readonly clock?: Clock;
  readonly turnLimitMs?: number | null;
  readonly projection?: StreamingOptions;
  /** The answers of a review's advisor. */
  readonly advisor?: readonly object[];
  readonly ports?: Partial<RunPorts>;
  readonly limits?: HttpServerOptions['limits'];
  /** Default: the folder of the server. */
  readonly database?: HttpServerOptions['database'];
  readonly onNews?: HttpServerOptions['onNews'];
}

export interface Served {
  readonly home: string;
  readonly conversations: Conversations;
  /** Faults that were reported as the server's own. */
  readonly faults: readonly unknown[];
  /** The requests to the lead, over all servers. */
  readonly questions: readonly ConversationQuestion[];
  /** The leads that were opened, over all servers. */
  readonly leads: readonly LeadCall[];
  readonly closedLeads: () => number;
  url(path: string): string;
  /** Sends a message in a conversation of the tenant `local`. */
  post(conversation: string, input: string, extra?: object): Promise<OpenStream>;
  open(path: string, init?: RequestInit): Promise<OpenStream>;
  /** Like a deployment: stops one server and starts the next. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface OpenStream {
  readonly response: Response;
  frames(): readonly StreamFrame[];
  /** Resolves when a frame of this name has arrived; rejects if the connection ends without one. */
  until(event: string): Promise<StreamFrame>;
  /** Resolves with all frames when the connection has ended. */
  readonly whole: Promise<readonly StreamFrame[]>;
  leave(): void;
}

export const executor = { user_id: 'user-001', name: 'User', email: 'user@example.com' };

/** Removed with the test. */
export async function serveRuns(options: ServedOptions = {}): Promise<Served> {
  const { clock = systemClock, turnLimitMs = 300_000, projection = {} } = options;
  const home = scratchFolder();
  const conversations = openConversations(home, clock);
  const faults: unknown[] = [];
  const questions: ConversationQuestion[] = [];
  const leads: LeadCall[] = [];
  let closed = 0;
  const ports: RunPorts = {
    readLine: readReview,
    startRun: (call) => prepareReview(options, call.home),
    async openLead(call) {
      leads.push(call);
      return { answerer: scripted(options, questions, () => void (closed += 1)), tools: toolsOf(options) };
    },
    probeAgents: () => Promise.resolve([]),
    ...options.ports,
  };
  const start = (): Promise<RunningServer> =>
    startHttpServer({
      host: '127.0.0.1',
      port: 0,
      version: '0.0.0',
      access: {
        hosts: [],
        origins: [],
        providers: [],
        requiresToken: false,
        credentials: null,
        cookieName: '',
      },
      ownFiles: [],
      pageFolder: home,
      conversations,
      ports,
      cwd: home,
      env: { HOME: home, PATH: '/usr/bin:/bin' },
      clock,
      projection,
      turnLimitMs,
      limits: options.limits ?? {},
      database: options.database,
      ...(options.onNews === undefined ? {} : { onNews: options.onNews }),
      onFault: (error) => faults.push(error),
    });
  let server = await start();
  onTestFinished(() => server.stop());

  return {
    home,
    conversations,
    faults,
    questions,
    leads,
    closedLeads: () => closed,
    url: (path) => `${server.url}${path}`,
    post: (conversation, input, extra = {}) =>
      openStream(`${server.url}${base(conversation)}/stream`, { method: 'POST', body: formOf(input, extra) }),
    open: (path, init = {}) => openStream(`${server.url}${path}`, init),
    async restart() {
      await server.stop();
      server = await start();
    },
    stop: () => server.stop(),
  };
}

export function base(conversation: string, tenant = 'local'): string {
  return `/api/tenants/${tenant}/conversations/${conversation}`;
}

export function dataOf(frame: StreamFrame | undefined): Readonly<Record<string, unknown>> {
  return frame === undefined ? {} : JSON.parse(frame.data);
}

export function formOf(input: string, extra: object = {}): FormData {
  const form = new FormData();
  form.append('request_data', JSON.stringify({ user_input: input, executor, ...extra }));
  return form;
}

/** Sends a text like a model that streams. */
export function saying(text: string): Turn {
  return async ({ emit, keep, callId }) => {
    emit({ type: 'turn.started' });
    emit({ type: 'text.start', block_id: `${callId}/1`, follow_up: false });
    emit({ type: 'text.delta', block_id: `${callId}/1`, text });
    emit({ type: 'text.end', block_id: `${callId}/1`, text });
    emit({ type: 'turn.ended', stop_reason: 'end_turn', usage: null });
    keep({ role: 'assistant', content: text });
    return { kind: 'answered' };
  };
}

/** Sends the beginning of a text, and then nothing until it is aborted. */
export function hanging(text: string): Turn {
  return async ({ emit, callId, signal }) => {
    emit({ type: 'turn.started' });
    emit({ type: 'text.start', block_id: `${callId}/1`, follow_up: false });
    emit({ type: 'text.delta', block_id: `${callId}/1`, text });
    emit({ type: 'state', state: 'waiting' });
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return { kind: 'answered' };
  };
}

function scripted(
  { turns = [saying('Hello.')] }: ServedOptions,
  questions: ConversationQuestion[],
  onClose: () => void,
): ConversationAnswerer {
  return {
    identity: { ...identity, model: 'model-1' },
    lead: { provider: 'claude_code', model: null },
    answer(question) {
      questions.push(question);
      const turn = turns[questions.length - 1] ?? turns.at(-1);
      if (turn === undefined) throw new Error('the lead has nothing to say');
      return turn(question);
    },
    close: async () => onClose(),
  };
}

function toolsOf({ tools = [] }: ServedOptions) {
  return { tools, policy: createToolPolicy({ rules: {}, approve: null }) };
}

/** Starts a review for any line. */
function readReview(): StartRequest {
  return { kind: 'review', changes: [] };
}

async function prepareReview({ advisor = [] }: ServedOptions, home: string) {
  const review = await prepareRehearsed({ turns: advisor, env: { COLLAB_HOME: home } });
  onTestFinished(() => review.close());
  return openRun({ runId: basename(review.runFolder), path: review.runFolder });
}

async function openStream(url: string, init: RequestInit): Promise<OpenStream> {
  const leaving = new AbortController();
  const response = await fetch(url, { ...init, signal: leaving.signal });
  const reader = createFrameReader();
  const frames: StreamFrame[] = [];
  let wake = nothing;
  let over = false;
  const whole = read();

  async function read(): Promise<readonly StreamFrame[]> {
    try {
      for await (const chunk of response.body ?? []) {
        frames.push(...reader.feed(chunk));
        wake();
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      over = true;
      wake();
    }
    return frames;
  }

  async function until(event: string): Promise<StreamFrame> {
    for (;;) {
      const found = frames.find((frame) => frame.event === event);
      if (found !== undefined) return found;
      if (over) throw new Error(`the stream ended without ${event}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  whole.catch(() => undefined);
  return { response, frames: () => frames, until, whole, leave: () => leaving.abort() };
}

function nothing(): void {}
