/**
 * Tools that may use the user's tokens by name. Their output never contains a token's value: a model reads it, and
 * files keep it (X002-24).
 */
import { createTokenCover, withoutTokens, type TokenValues } from '../../secrets/without-tokens.ts';
import type { Json, Tool, ToolOutcome } from '../../tools/definition/interfaces.ts';

export function toolsWithTokens(tools: readonly Tool[], tokens: TokenValues): readonly Tool[] {
  return Object.keys(tokens).length === 0 ? tools : tools.map((tool) => withTokens(tool, tokens));
}

function withTokens(tool: Tool, tokens: TokenValues): Tool {
  return {
    ...tool,
    async run(args, context) {
      const { tellOutput, signal } = context;
      const cover = createTokenCover(tokens);
      const tell = (chunk: string) => tellOutput?.(cover.push(chunk));
      try {
        const outcome = await tool.run(args, { ...context, tokens, tellOutput: tell });
        tellOutput?.(cover.flush());
        return covered(outcome, tokens);
      } catch (error) {
        signal.throwIfAborted();
        throw coveredError(error, tokens);
      }
    },
  };
}

/** Omits the error's cause, which would reveal what is masked here. */
function coveredError(error: unknown, tokens: TokenValues): Error {
  return new Error(
    withoutTokens(error instanceof Error ? (error.stack ?? error.message) : String(error), tokens),
  );
}

function covered(outcome: ToolOutcome, tokens: TokenValues): ToolOutcome {
  const { content, data, changed } = outcome;
  return {
    ...outcome,
    content: withoutTokens(content, tokens),
    ...(data === undefined ? {} : { data: coveredJson(data, tokens) }),
    ...(changed === undefined
      ? {}
      : { changed: changed.map((file) => ({ ...file, path: withoutTokens(file.path, tokens) })) }),
  };
}

function coveredJson(value: Json, tokens: TokenValues): Json {
  if (typeof value === 'string') return withoutTokens(value, tokens);
  if (Array.isArray(value)) return value.map((inner) => coveredJson(inner, tokens));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [withoutTokens(key, tokens), coveredJson(inner, tokens)]),
  );
}
