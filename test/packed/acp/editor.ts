/** An editor: starts the installed `collab acp` in a place and talks to it with the SDK's client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable, type Readable } from 'node:stream';
import {
  client,
  ndJsonStream,
  type ClientContext,
  type ContentBlock,
  type RequestPermissionRequest,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { Place } from '../place.ts';

export type Update<Kind extends SessionUpdate['sessionUpdate']> = Extract<
  SessionUpdate,
  { sessionUpdate: Kind }
>;

export interface EditorOptions {
  /** Returns the id of the chosen option, or null to close the dialog. Omitted: the editor has no dialogs. */
  readonly person?: (asked: RequestPermissionRequest) => string | null | Promise<string | null>;
  readonly onUpdate?: (notification: SessionNotification) => void;
}

export interface Editor {
  readonly agent: ClientContext;
  /** Process id of the server. */
  readonly pid: number;
  readonly updates: SessionUpdate[];
  readonly of: <Kind extends SessionUpdate['sessionUpdate']>(kind: Kind) => readonly Update<Kind>[];
  /** The text of all messages of the agent so far. */
  readonly said: () => string;
  /** Resolves when an update fits. */
  readonly seen: (fits: (update: SessionUpdate) => boolean) => Promise<void>;
  readonly open: () => Promise<string>;
  /** Sends a prompt; returns the reason of its end. */
  readonly prompt: (sessionId: string, prompt: string | ContentBlock[]) => Promise<string>;
  /** Resolves with what the server wrote to standard error, when it has ended. */
  readonly close: () => Promise<string>;
}

export async function openEditor(place: Place, { person, onUpdate }: EditorOptions = {}): Promise<Editor> {
  const child = spawn(process.execPath, [place.command, 'acp'], {
    cwd: place.folder,
    env: place.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const updates: SessionUpdate[] = [];
  const waiting = new Set<() => void>();
  const app = client({ name: 'editor' }).onNotification('session/update', ({ params }) => {
    updates.push(params.update);
    for (const look of waiting) look();
    onUpdate?.(params);
  });
  if (person !== undefined) {
    app.onRequest('session/request_permission', async ({ params }) => {
      const optionId = await person(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    });
  }
  const connection = app.connect(ndJsonStream(Writable.toWeb(child.stdin), bytesOf(child.stdout)));
  const { agent } = connection;
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return {
    agent,
    pid: child.pid ?? 0,
    updates,
    of: (kind) => updates.filter((update): update is Update<typeof kind> => update.sessionUpdate === kind),
    said: () =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join(''),
    seen: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (updates.some(fits)) resolve();
        };
        waiting.add(look);
        look();
      }),
    open: async () => (await agent.request('session/new', { cwd: place.folder, mcpServers: [] })).sessionId,
    async prompt(sessionId, prompt) {
      const blocks = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt;
      return (await agent.request('session/prompt', { sessionId, prompt: blocks })).stopReason;
    },
    async close() {
      child.stdin.end();
      await ended;
      connection.close();
      return errors;
    },
  };
}

/** The types of Node and of the SDK name two streams that are one. */
function bytesOf(stream: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}
