import { createHash } from 'node:crypto';
import { canonicalJson } from '../../text/canonical-json.ts';
import type { ITool } from './interfaces.ts';

/** Names a set of tools by its content, in any order (X004-10): a changed set has another name. */
export function toolsIdOf(tools: Iterable<ITool>): string {
  const told = [...tools]
    .map(({ name, description, parameters }) => ({ name, description, parameters }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return createHash('sha256').update(canonicalJson(told)).digest('hex');
}

/**
 * For an API that takes tool definitions once and their id afterwards (R004-11): uploads each set once. The next caller
 * repeats a failed upload.
 */
export function createToolUploads<Id>(
  upload: (tools: readonly ITool[], toolsId: string) => Promise<Id>,
): (tools: readonly ITool[]) => Promise<Id> {
  const uploads = new Map<string, Promise<Id>>();
  return (tools) => {
    const toolsId = toolsIdOf(tools);
    const made = uploads.get(toolsId) ?? upload(tools, toolsId);
    uploads.set(toolsId, made);
    made.catch(() => uploads.delete(toolsId));
    return made;
  };
}
