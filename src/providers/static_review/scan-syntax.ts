/** Runs the syntax rules over a text of the new side. */
import type { SgNode } from '@ast-grep/napi';
import type { DiffLine } from '../../parsers/diff/types.ts';
import type { Language } from '../../parsers/languages/language.ts';
import { isTooLong } from './longest-line.ts';
import type { NewSide } from './new-side.ts';
import type { Rule, SyntaxMatch } from './rule.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';
import { syntaxLanguages } from './syntax-tree.ts';

/** In lines; only the first line of a longer node counts. */
const longestQuote = 5;

export async function scanSyntax(
  path: string,
  language: Language,
  side: NewSide,
  rules: readonly Rule[],
  parse: () => Promise<SgNode>,
): Promise<readonly RuleFinding[]> {
  if (!syntaxLanguages.includes(language)) return [];
  if (side.lines.every((line) => line?.kind !== 'added')) return [];
  const searches = rules.flatMap((rule) => matchesFor(rule, language, side.text));
  if (searches.length === 0) return [];
  const tree = await parse();
  return searches
    .flatMap(({ rule, match }) => matchingNodes(tree, match).map((node) => ({ rule, node })))
    .filter(({ rule, node }) => rule.exemptTests !== true || !side.isTest(placeOf(node).range().start.line))
    .flatMap(({ rule, node }) => findingAt(rule, path, 'new', quotedLines(node, side.lines)) ?? []);
}

interface TreeSearch {
  readonly rule: Rule;
  readonly match: SyntaxMatch;
}

function matchesFor(rule: Rule, language: Language, text: string): readonly TreeSearch[] {
  return rule.matches
    .filter((match) => match.kind === 'syntax')
    .filter(({ languages, mentions }) => languages?.includes(language) !== false && mentions.test(text))
    .map((match) => ({ rule, match }));
}

function matchingNodes(tree: SgNode, { config, when }: SyntaxMatch): readonly SgNode[] {
  return tree.findAll(config).filter((node) => when === undefined || when(node));
}

/**
 * Returns the quoted lines: those of the node, or the first added one if the diff adds only a part. Returns none if the
 * node touches no added line.
 */
function quotedLines(node: SgNode, lines: NewSide['lines']): readonly DiffLine[] {
  const start = placeOf(node).range().start.line;
  const all = lines.slice(start, node.range().end.line + 1);
  const counted = all.length <= longestQuote ? all : all.slice(0, 1);
  const added = counted.filter((line) => line !== null).filter(({ kind }) => kind === 'added');
  const [first] = added;
  if (first === undefined || isTooLong(first)) return [];
  return added.length === all.length ? added : [first];
}

/** Returns the place of a node; a call in a chain is at its method's name, not at the start of the chain. */
function placeOf(node: SgNode): SgNode {
  if (node.kind() !== 'call_expression') return node;
  return node.field('function')?.field('property') ?? node;
}
