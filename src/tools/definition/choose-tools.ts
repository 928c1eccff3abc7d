/** Which tools a model is told of in one turn (R004-12, X004-9). */
import type { Tool } from './interfaces.ts';
import { createToolSearch, type Embedder, type ToolSearch } from './tool-search.ts';

export interface ToolChooser {
  /** In the order in which they are registered, so that equal choices are equal requests. */
  choose(intent: Intent): Promise<readonly Tool[]>;
}

export interface Intent {
  /** What the user wants, in the user's words. */
  readonly text: string;
  /** Names that the model has called lately, whether it had the tools or not. */
  readonly called: ReadonlySet<string>;
}

export interface ToolChooserOptions {
  /** Names of tools that every turn has. */
  readonly pinned?: readonly string[];
  /** Finds tools by meaning; without it by their words. */
  readonly embedder?: Embedder | null;
}

/** Tools that were called in so many last turns of a model, or answers of an agent, stay. */
export const turnsRemembered = 3;

/** As many are told of without a choice. */
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
