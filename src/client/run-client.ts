/** Reads the server's lists and runs for pages and programs: active runs, their state and their questions; also ends runs. */
import { errorOfResponse } from './refusal.ts';
import type { CollabEvent } from './run-events.ts';
import { followRun, type FollowRunOptions } from './follow-run.ts';
import { fetchConversation, readConversations, readRun, readRuns, readStarted } from './read-lists.ts';
import { jsonBody, tenantRequester, type AskInit, type ServerAddress } from './request.ts';
import type {
  ConversationDetail,
  ConversationList,
  RunDetail,
  RunSummary,
  RequestedRun,
} from './run-types.ts';

export interface RunClient {
  /** Returns the last changed conversations, at most `most`. */
  conversations(most: number): Promise<ConversationList>;
  conversation(id: string): Promise<ConversationDetail>;
  /** Returns the last runs of a conversation, without its messages. */
  runs(conversation: string): Promise<readonly RunSummary[]>;
  /** @returns the run's id */
  start(conversation: string, request: RequestedRun): Promise<string>;
  run(conversation: string, run: string): Promise<RunDetail>;
  /** The change under review, or null if there is none. */
  diff(conversation: string, run: string): Promise<string | null>;
  /** A text that an event names by its digest, such as `prompt_ref`. */
  blob(conversation: string, run: string, digest: string): Promise<string>;
  answer(conversation: string, run: string, name: string, value: unknown): Promise<void>;
  cancel(conversation: string, run: string): Promise<void>;
  /** Yields a run's events, each once and in order, over as many connections as it takes; ends after `run.ended`. */
  follow(conversation: string, run: string, options: FollowRunOptions): AsyncIterable<CollabEvent>;
}

/** Every method throws `ServerRefusal` if the server refuses, and the network's error if it cannot be reached. */
export function createRunClient(server: ServerAddress): RunClient {
  const ask = tenantRequester(server);

  async function asked(path: string, init?: AskInit): Promise<Response> {
    const response = await ask(path, init);
    if (!response.ok) throw await errorOfResponse(response);
    return response;
  }

  return {
    conversations: async (most) =>
      readConversations(await (await asked(`conversations?limit=${most}`)).json()),
    conversation: async (id) => fetchConversation(await (await asked(pathOf(id))).json()),
    runs: async (id) => readRuns(await (await asked(pathOf(id, 'runs'))).json()),
    async start(conversation, request) {
      return readStarted(await (await asked(pathOf(conversation, 'runs'), jsonBody(request))).json());
    },
    run: async (conversation, run) => readRun(await (await asked(pathOf(conversation, 'runs', run))).json()),
    async diff(conversation, run) {
      const response = await ask(pathOf(conversation, 'runs', run, 'diff'));
      if (response.status === 404) return null;
      if (!response.ok) throw await errorOfResponse(response);
      return await response.text();
    },
    async blob(conversation, run, digest) {
      return await (await asked(pathOf(conversation, 'runs', run, 'blobs', digest))).text();
    },
    async answer(conversation, run, name, value) {
      await asked(pathOf(conversation, 'runs', run, 'answers', name), jsonBody({ value }));
    },
    async cancel(conversation, run) {
      await asked(pathOf(conversation, 'runs', run, 'cancel'), jsonBody({}));
    },
    follow: (conversation, run, options) =>
      followRun(
        (query, init) => ask(`${pathOf(conversation, 'runs', run, 'events')}${query}`, init),
        options,
      ),
  };
}

function pathOf(conversation: string, ...parts: readonly string[]): string {
  return ['conversations', conversation, ...parts].map(encodeURIComponent).join('/');
}
