/** Ranks tools by their relevance to a text (X004-9). */
import type { ITool } from './interfaces.ts';
import { searchTerms } from './search-terms.ts';

/** Gives each text a vector, all of one length, close to those of texts with a similar meaning. */
export interface Embedder {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** Returns names, closest first; equally close ones in the order of their names. */
export type ToolSearch = (query: string) => Promise<readonly string[]>;

export async function createToolSearch(
  tools: readonly ITool[],
  embedder: Embedder | null,
): Promise<ToolSearch> {
  const byWords = await createWordSearch(tools);
  if (embedder === null) return async (query) => rank(tools, byWords(query));
  const byMeaning = createMeaningSearch(tools, embedder);
  return async (query) => {
    const words = byWords(query);
    // A failed search must not end a turn: the search by words remains.
    const meant = await byMeaning(query).catch(() => null);
    return rank(tools, meant ?? words);
  };
}

type Scores = ReadonlyMap<string, number>;

function rank(tools: readonly ITool[], scores: Scores): readonly string[] {
  const scoreOf = (name: string): number => scores.get(name) ?? 0;
  return tools
    .map(({ name }) => name)
    .toSorted((one, other) => scoreOf(other) - scoreOf(one) || (one < other ? -1 : 1));
}

/** Searches with BM25 over names, descriptions and parameter names. */
async function createWordSearch(tools: readonly ITool[]): Promise<(query: string) => Scores> {
  // Imported on demand: most conversations have too few tools for a search.
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<{ name: string; description: string; parameters: string }>({
    idField: 'name',
    fields: ['name', 'description', 'parameters'],
    tokenize: searchTerms,
    processTerm: (term) => term,
    searchOptions: { boost: { name: 3 }, prefix: (term) => term.length > 3 },
  });
  index.addAll(
    tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: parameterNames(tool).join(' '),
    })),
  );
  return (query) => new Map(index.search(shortened(query)).map(({ id, score }) => [String(id), score]));
}

/** A question may include a whole file; its topic is at its beginning or its end. */
function shortened(query: string): string {
  return query.length <= 4000 ? query : `${query.slice(0, 2000)} ${query.slice(-2000)}`;
}

function parameterNames({ parameters }: ITool): readonly string[] {
  const properties = parameters['properties'];
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function createMeaningSearch(
  tools: readonly ITool[],
  embedder: Embedder,
): (query: string) => Promise<Scores | null> {
  let vectors: Promise<readonly (readonly number[])[]> | null = null;
  return async (query) => {
    vectors ??= embedder.embed(tools.map((tool) => textOf(tool)));
    vectors.catch(() => (vectors = null));
    const [known, [wanted]] = await Promise.all([vectors, embedder.embed([shortened(query)])]);
    if (wanted === undefined || known.length !== tools.length) return null;
    return new Map(tools.map(({ name }, index) => [name, cosine(wanted, known[index] ?? [])]));
  };
}

function textOf(tool: ITool): string {
  return `${tool.name}: ${tool.description} (${parameterNames(tool).join(', ')})`;
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  const length = Math.hypot(...one) * Math.hypot(...other);
  return length === 0 || !Number.isFinite(dot) ? 0 : dot / length;
}
