/** Which files an agent has seen the text of, told by its tool calls. */
import type { CollabEvent } from '../../events/collab-event.ts';

/** Paths as the calls and their results name them, each once; of calls that failed or came to no end none. */
export function filesRead(events: Iterable<CollabEvent>): readonly string[] {
  const named = new Map<string, readonly string[]>();
  const read = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool.call') named.set(event.call_id, namedIn(event.args));
    if (event.type !== 'tool.result' || event.is_error) continue;
    for (const path of [...(named.get(event.call_id) ?? []), ...shownIn(event.content)]) read.add(path);
  }
  return [...read];
}

const pathArguments = ['file_path', 'path', 'file'] as const;

function namedIn(args: Readonly<Record<string, unknown>>): readonly string[] {
  return pathArguments.flatMap((name) => {
    const value = args[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/** `src/a.ts:12:text`, as a search over many files tells its matches. */
function shownIn(content: string): readonly string[] {
  return content.split('\n').flatMap((line) => /^([^\s:][^:\n]{0,400}):\d+[:-]/.exec(line)?.[1] ?? []);
}
