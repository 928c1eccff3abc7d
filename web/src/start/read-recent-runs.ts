import type { RunClient } from '../../../src/client/run-client.ts';
import type { RunSummary } from '../../../src/client/run-types.ts';

/** Each conversation is one request. */
const readConversations = 10;

/** Returns the runs of the newest conversations, newest first, without turns. */
export async function readRecentRuns(client: RunClient): Promise<readonly RunSummary[]> {
  const { conversations } = await client.conversations(readConversations);
  const lists = await Promise.all(
    conversations.map(({ conversation_id: id }) => client.runs(id).catch(() => [])),
  );
  const runs = lists.flat().filter(({ kind }) => kind !== 'turn');
  return runs.toSorted((one, other) => (other.started_at ?? '9').localeCompare(one.started_at ?? '9'));
}
