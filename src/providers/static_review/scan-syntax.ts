/** Runs the syntax rules over the new side of a hunk. ast-grep is loaded with the first file that needs it. */
import type { SgNode } from '@ast-grep/napi';
import type { DiffLine } from '../../parsers/diff/types.ts';
import { syntaxLanguages, type Language } from './language.ts';
import { isTooLong } from './longest-line.ts';
import type { NewSide } from './new-side.ts';
import type { Rule, SyntaxMatch } from './rule.ts';
import { findingAt, type RuleFinding } from './rule-finding.ts';

/** In lines; only the first line of a longer node is quoted. */
const longestQuote = 5;

export async function scanSyntax(
  path: string,
  language: Language,
  newSide: NewSide,
  rules: readonly Rule[],
): Promise<readonly RuleFinding[]> {
  if (!syntaxLanguages.includes(language)) return [];
  if (newSide.lines.every(({ kind }) => kind !== 'added')) return [];
  const searches = rules.flatMap((rule) => matchesFor(rule, language, newSide.text));
  if (searches.length === 0) return [];
  const tree = await parseFragment(language, newSide.text);
  return searches
    .flatMap(({ rule, match }) => matchingNodes(tree, match).map((node) => ({ rule, node })))
    .flatMap(({ rule, node }) => findingAt(rule, path, 'new', quotedLines(node, newSide.lines)) ?? []);
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

/** Parses a fragment, including its errors. */
async function parseFragment(language: Language, text: string): Promise<SgNode> {
  const { parse, Lang } = await import('@ast-grep/napi');
  if (language === 'tsx') return parse(Lang.Tsx, text).root();
  return parse(language === 'typescript' ? Lang.TypeScript : Lang.JavaScript, text).root();
}

function matchingNodes(tree: SgNode, { config, when }: SyntaxMatch): readonly SgNode[] {
  return tree.findAll(config).filter((node) => when === undefined || when(node));
}

/** Returns the quoted lines; none if the node does not begin on an added line, or begins on one that is too long. */
function quotedLines(node: SgNode, lines: readonly DiffLine[]): readonly DiffLine[] {
  const start = placeOf(node).range().start.line;
  const first = lines[start];
  if (first?.kind !== 'added' || isTooLong(first)) return [];
  const all = lines.slice(start, node.range().end.line + 1);
  const whole = all.length <= longestQuote && all.every(({ kind }) => kind === 'added');
  return whole ? all : [first];
}

/** Returns the place of a node; a call in a chain is at its method's name, not at the start of the chain. */
function placeOf(node: SgNode): SgNode {
  if (node.kind() !== 'call_expression') return node;
  return node.field('function')?.field('property') ?? node;
}
