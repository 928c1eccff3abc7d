/** The editor's side of a session: every update waits until the editor has taken the one before. */
import type { AgentContext, SessionUpdate } from '@agentclientprotocol/sdk';

export interface Editor {
  readonly client: Pick<AgentContext, 'request' | 'notify'>;
  readonly sessionId: string;
  /** Aborted when the connection closes or the server ends; runs continue without it. */
  readonly gone: AbortSignal;
}

/** Characters of one update; a longer text is sent in pieces. */
const mostCharacters = 32_000;

export async function show(
  { client, sessionId, gone }: Editor,
  updates: readonly SessionUpdate[],
): Promise<void> {
  for (const update of updates.flatMap(inPieces)) {
    gone.throwIfAborted();
    await client.notify('session/update', { sessionId, update });
  }
}

function inPieces(update: SessionUpdate): readonly SessionUpdate[] {
  if (!('content' in update) || update.content === undefined || update.content === null) return [update];
  const { content } = update;
  if (Array.isArray(content) || content.type !== 'text' || content.text.length <= mostCharacters)
    return [update];
  const pieces = content.text.match(/[^]{1,32000}(?![\udc00-\udfff])/g) ?? [];
  return pieces.map((text) => Object.assign({ ...update }, { content: { ...content, text } }));
}
