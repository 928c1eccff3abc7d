/** Reads a session as Claude Code stores it: JSON lines in `projects/<folder>/<session>.jsonl` (2.1.330). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfPossible } from '../../system/files/read.ts';
import { parseJson } from '../../text/parse-json.ts';

export interface Transcript {
  /** Messages in order, without those of sub-agents and Claude Code's internal ones. */
  readonly entries: readonly ClaudeTranscriptEntry[];
  /** Cost of the whole session so far, in US dollars; null if none was written. */
  readonly costUsd: number | null;
}

export type ClaudeTranscriptEntry =
  | { readonly from: 'user'; readonly text: string | null }
  | {
      readonly from: 'assistant';
      readonly messageId: string;
      /** True if the program itself wrote it, such as an error text. */
      readonly synthetic: boolean;
      readonly stopReason: string | null;
      readonly text: string;
    };

/** Returns null if no such session was ever written. */
export async function readTranscript(projectsFolder: string, sessionId: string): Promise<Transcript | null> {
  if (!/^[\da-f-]{36}$/i.test(sessionId)) return null;
  const folders = await readdir(projectsFolder).catch((): readonly string[] => []);
  for (const folder of folders) {
    const text = readIfPossible(join(projectsFolder, folder, `${sessionId}.jsonl`));
    if (text !== null) return parseTranscript(text);
  }
  return null;
}

export function parseTranscript(text: string): Transcript {
  const lines = text.split('\n').flatMap((line) => lineSchema.safeParse(parseJson(line)).data ?? []);
  const costs = lines.flatMap((line) => (line.type === 'cost-state' ? [line.totalCostUSD] : []));
  return { entries: lines.flatMap(entryOf), costUsd: costs.at(-1) ?? null };
}

const parts = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]);
const place = { isSidechain: z.boolean().nullish() };

const lineSchema = z.union([
  z.looseObject({ type: z.literal('user'), ...place, message: z.looseObject({ content: parts }) }),
  z.looseObject({
    type: z.literal('assistant'),
    ...place,
    message: z.looseObject({
      id: z.string(),
      model: z.string().nullish(),
      stop_reason: z.string().nullish(),
      content: parts,
    }),
  }),
  z.looseObject({ type: z.literal('cost-state'), totalCostUSD: z.number() }),
]);

function entryOf(line: z.infer<typeof lineSchema>): readonly ClaudeTranscriptEntry[] {
  if (line.type === 'cost-state' || line.isSidechain === true) return [];
  const { content } = line.message;
  if (line.type === 'user') {
    const said = typeof content === 'string' || content.some(({ type }) => type === 'text');
    return [{ from: 'user', text: said ? textOf(content) : null }];
  }
  const { id, model, stop_reason: stopReason } = line.message;
  return [
    {
      from: 'assistant',
      messageId: id,
      synthetic: model === '<synthetic>',
      stopReason: stopReason ?? null,
      text: textOf(content),
    },
  ];
}

function textOf(content: z.infer<typeof parts>): string {
  if (typeof content === 'string') return content;
  return content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('');
}
