/** Syntax rules over the new side of a hunk. ast-grep is loaded with the first file that needs it. */
import type { SgNode } from '@ast-grep/napi';
import type { DiffLine } from '../../parsers/unified-diff-types.ts';
import { syntaxLanguages, type Language } from './language.ts';
import type { NewSide } from './new-side.ts';
import type { Rule, SyntaxMatch } from './rule.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';

/** A longer node is quoted by its first line. */
const longestQuote = 5;

export async function scanSyntax(
  path: string,
  language: Language,
  newSide: NewSide,
  rules: readonly Rule[],
): Promise<readonly RuleFinding[]> {
  if (!syntaxLanguages.includes(language)) return [];
  if (newSide.lines.every(({ kind }) => kind !== 'added')) return [];
  const tree = await parseFragment(language, newSide.text);
  if (tree === null) return [];
  return rules.flatMap((rule) =>
    rule.matches
      .filter((match) => match.kind === 'syntax')
      .filter(({ languages }) => languages?.includes(language) !== false)
      .flatMap((match) => matchingNodes(tree, match))
      .flatMap((node) => {
        const lines = quotedLines(node, newSide.lines);
        const finding = lines.length === 0 ? null : findingAt(rule, path, 'new', lines);
        return finding === null ? [] : [finding];
      }),
  );
}

/** The tree of a fragment, errors and all; null for a language without syntax rules. */
async function parseFragment(language: Language, text: string): Promise<SgNode | null> {
  const { parse, Lang } = await import('@ast-grep/napi');
  const grammars = new Map<Language, string>([
    ['javascript', Lang.JavaScript],
    ['typescript', Lang.TypeScript],
    ['tsx', Lang.Tsx],
  ]);
  const grammar = grammars.get(language);
  return grammar === undefined ? null : parse(grammar, text).root();
}

function matchingNodes(tree: SgNode, { config, when }: SyntaxMatch): readonly SgNode[] {
  return tree.findAll(config).filter((node) => when === undefined || when(node));
}

/** Nothing when the node does not begin on an added line. */
function quotedLines(node: SgNode, lines: readonly DiffLine[]): readonly DiffLine[] {
  const start = placeOf(node).range().start.line;
  const first = lines[start];
  if (first?.kind !== 'added') return [];
  const all = lines.slice(start, node.range().end.line + 1);
  const whole = all.length <= longestQuote && all.every(({ kind }) => kind === 'added');
  return whole ? all : [first];
}

/** A call in a chain stands where its method's name stands, not where the chain begins. */
function placeOf(node: SgNode): SgNode {
  if (node.kind() !== 'call_expression') return node;
  return node.field('function')?.field('property') ?? node;
}
