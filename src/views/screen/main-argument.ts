import type { CollabEventOf } from '../../events/collab-event.ts';

/** Returns the argument that best describes a tool call: the command, the path, the pattern. */
export function mainArgument({
  name,
  args,
  summary,
}: Pick<CollabEventOf<'tool.call'>, 'name' | 'args' | 'summary'>): string {
  const keys = mainArguments.get(name);
  for (const key of keys ?? []) {
    const value = args[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ');
  }
  return keys?.length === 0 ? '' : summary;
}

const path = ['file_path', 'notebook_path', 'path', 'paths'];
const pattern = ['pattern', 'query'];

/** Keys by tool name; the first key that is present wins. An empty list: the tool shows only its name. */
const mainArguments: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Bash: ['command'],
    Read: path,
    Edit: path,
    MultiEdit: path,
    Write: path,
    NotebookEdit: path,
    LS: ['path'],
    Search: pattern,
    Grep: pattern,
    Glob: pattern,
    TodoRead: [],
    TodoWrite: [],
    WebSearch: ['query'],
    WebFetch: ['url'],
    Task: ['description'],
  }),
);
