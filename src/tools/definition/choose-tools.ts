/** Chooses the tools to describe to a model in one turn (R004-12, X004-9). */
import type { Tool } from './interfaces.ts';
import { createToolSearch, type Embedder, type ToolSearch } from './tool-search.ts';

export interface ToolChooser {
  /** Returns the tools in registration order, so that equal choices make equal requests. */
  choose(intent: Intent): Promise<readonly Tool[]>;
}

export interface Intent {
  /** The user's request, in the user's words. */
  readonly text: string;
  /** Names that the model has called recently, whether it had the tools or not. */
  readonly called: ReadonlySet<string>;
}

export interface ToolChooserOptions {
  /** Names of tools that are in every turn. */
  readonly pinned?: readonly string[];
  /** Finds tools by meaning; without it they are found by their words. */
  readonly embedder?: Embedder | null;
}

/** Tools called in this many recent turns of a model, or answers of an agent, stay. */
export const turnsRemembered = 3;

/** Up to this many tools are described without a choice. */
const allUpTo = 32;
const chosenCount = 16;

export function createToolChooser(
  tools: readonly Tool[],
  { pinned = [], embedder = null }: ToolChooserOptions = {},
): ToolChooser {
  if (tools.length <= allUpTo) return { choose: async () => tools };
  let search: Promise<ToolSearch> | null = null;
  return {
    async choose({ text, called }) {
      search ??= createToolSearch(tools, embedder);
      const closest = (await (await search)(text)).slice(0, chosenCount);
      const names = new Set([...closest, ...pinned, ...called]);
      return tools.filter(({ name }) => names.has(name));
    },
  };
}
