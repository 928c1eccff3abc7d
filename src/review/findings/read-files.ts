/** Finds the files whose text an agent has seen, from its tool calls. */
import type { CollabEvent } from '../../events/collab-event.ts';

/** Returns the paths in the calls and their results, each once; failed and unfinished calls are left out. */
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

/** Reads the paths of matches like `src/a.ts:12:text`, the output of a search over many files. */
function shownIn(content: string): readonly string[] {
  return content.split('\n').flatMap((line) => /^([^\s:][^:\n]{0,400}):\d+[:-]/.exec(line)?.[1] ?? []);
}
