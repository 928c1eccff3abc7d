/** Reads the server's lists and runs for pages and programs: active runs, their state and their questions; also ends runs. */
import { errorOfResponse } from './refusal.ts';
import type { CollabEvent } from './run-events.ts';
import { followRun, type FollowRunOptions } from './follow-run.ts';
import {
  fetchConversation,
  readAgents,
  readBranches,
  readConversations,
  readDismissalList,
  readRun,
  readRuns,
  readStarted,
} from './read-lists.ts';
import { jsonBody, tenantRequester, type AskInit, type ServerAddress } from './request.ts';
import type {
  ConversationDetail,
  ConversationList,
  OfferedAgent,
  OfferedBranches,
  Dismissals,
  DismissRequest,
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
  /** Returns the agents that this reader may choose. */
  agents(): Promise<readonly OfferedAgent[]>;
  /** Returns the branches of the served repository. */
  branches(): Promise<OfferedBranches>;
  /** @returns the run's id */
  start(conversation: string, request: RequestedRun): Promise<string>;
  run(conversation: string, run: string): Promise<RunDetail>;
  /** The change under review, or null if there is none. */
  diff(conversation: string, run: string): Promise<string | null>;
  /** A changed file after the change, as the review kept it. */
  file(conversation: string, run: string, path: string): Promise<string>;
  /** Returns true if `file` would return a text. */
  hasFile(conversation: string, run: string, path: string): Promise<boolean>;
  /** A text that an event names by its digest, such as `prompt_ref`. */
  blob(conversation: string, run: string, digest: string): Promise<string>;
  answer(conversation: string, run: string, name: string, value: unknown): Promise<void>;
  cancel(conversation: string, run: string): Promise<void>;
  dismissals(conversation: string, run: string): Promise<Dismissals>;
  dismiss(conversation: string, run: string, request: DismissRequest): Promise<void>;
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
    agents: async () => readAgents(await (await asked('agents')).json()),
    branches: async () => readBranches(await (await asked('branches')).json()),
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
    file: async (conversation, run, path) => await (await asked(filePath(conversation, run, path))).text(),
    hasFile: async (conversation, run, path) =>
      (await ask(filePath(conversation, run, path), { method: 'HEAD' })).ok,
    async blob(conversation, run, digest) {
      return await (await asked(pathOf(conversation, 'runs', run, 'blobs', digest))).text();
    },
    async answer(conversation, run, name, value) {
      await asked(pathOf(conversation, 'runs', run, 'answers', name), jsonBody({ value }));
    },
    async cancel(conversation, run) {
      await asked(pathOf(conversation, 'runs', run, 'cancel'), jsonBody({}));
    },
    dismissals: async (conversation, run) =>
      readDismissalList(await (await asked(pathOf(conversation, 'runs', run, 'dismissals'))).json()),
    async dismiss(conversation, run, request) {
      await asked(pathOf(conversation, 'runs', run, 'dismissals'), jsonBody(request));
    },
    follow: (conversation, run, options) =>
      followRun(
        (query, init) => ask(`${pathOf(conversation, 'runs', run, 'events')}${query}`, init),
        options,
      ),
  };
}

function filePath(conversation: string, run: string, path: string): string {
  return `${pathOf(conversation, 'runs', run, 'file')}?path=${encodeURIComponent(path)}`;
}

function pathOf(conversation: string, ...parts: readonly string[]): string {
  return ['conversations', conversation, ...parts].map(encodeURIComponent).join('/');
}
