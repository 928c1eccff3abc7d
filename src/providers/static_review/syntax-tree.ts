/** Parses texts of languages with a grammar. ast-grep is loaded with the first text that needs it. */
import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../../parsers/languages/language.ts';
import type { TextZone } from '../../parsers/languages/text-zones.ts';

/** Languages with a grammar. */
export const syntaxLanguages: readonly Language[] = ['javascript', 'typescript', 'tsx'];

/** Parses a text, including its errors. */
export async function parseTree(language: Language, text: string): Promise<SgNode> {
  const { parse, Lang } = await import('@ast-grep/napi');
  if (language === 'tsx') return parse(Lang.Tsx, text).root();
  return parse(language === 'typescript' ? Lang.TypeScript : Lang.JavaScript, text).root();
}

/** Returns the comments and strings of a tree; the code within a template string is not part of it. */
export function treeZonesOf(tree: SgNode): readonly TextZone[] {
  const kinds = ['comment', 'string_fragment', 'escape_sequence', 'regex_pattern'];
  return tree.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).map((node) => {
    const { start, end } = node.range();
    return { kind: node.is('comment') ? 'comment' : 'string', start: start.index, end: end.index };
  });
}
