/** Reads YAML text into a plain value with the positions of all its parts. */
import {
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';

/** 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the position of the value at a path; with a key, of that key in the mapping at the path. If there is none,
 * that of the nearest parent.
 */
export type PositionOf = (path: readonly PropertyKey[], key?: string) => Position;

export type YamlText =
  | {
      readonly ok: true;
      /** The value; null for a text without content. */
      readonly value: unknown;
      readonly positionOf: PositionOf;
    }
  | { readonly ok: false; readonly message: string; readonly position: Position };

/**
 * Reads one document without anchors and tags: nothing that could make a small file large or mean anything but plain
 * values.
 */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: 'core' });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const [fault] = [...document.errors, ...document.warnings];
  const refused =
    fault === undefined ? firstRefused(document) : { message: wordsOf(fault), offset: fault.pos[0] };
  if (refused !== null) {
    return { ok: false, message: refused.message, position: positionAt(refused.offset) };
  }
  return {
    ok: true,
    value: document.toJS(),
    positionOf: (path, key) => positionAt(yamlOffset(document, path, key)),
  };
}

/** Returns the library's own message, except for the one that addresses programmers. */
function wordsOf({ code, message }: YAMLParseError | YAMLWarning): string {
  return code === 'MULTIPLE_DOCS' ? 'more than one document' : message;
}

interface Refused {
  readonly message: string;
  readonly offset: number;
}

const plainTags = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
  (name) => `tag:yaml.org,2002:${name}`,
);

function firstRefused(document: Document): Refused | null {
  let refused: Refused | null = null;
  const refuse = (node: Node, message: string) => {
    refused = { message, offset: node.range?.[0] ?? 0 };
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_key, node) => refuse(node, 'aliases are not supported; write the value out'),
    Value: (_key, node) => {
      if (node.anchor !== undefined) return refuse(node, 'anchors are not supported; write the value out');
      if (node.tag !== undefined && !plainTags.includes(node.tag))
        return refuse(node, `the tag ${node.tag} is not supported`);
      return undefined;
    },
    Pair: (_key, pair) =>
      isNode(pair.key) && !isScalar(pair.key) ? refuse(pair.key, 'a key must be a plain word') : undefined,
  });
  return refused;
}

/** Returns the offset of the place that {@link PositionOf} finds. */
export function yamlOffset(document: Document, path: readonly PropertyKey[], key?: string): number {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node)) return (key === undefined ? null : offsetOfKey(node, key)) ?? node.range?.[0] ?? 0;
  return path.length === 0 ? 0 : yamlOffset(document, path.slice(0, -1), String(path.at(-1)));
}

function offsetOfKey(node: Node, key: string): number | null {
  let offset: number | null = null;
  visit(node, {
    Pair: (_key, pair) => {
      if (!isPair(pair) || !isScalar(pair.key)) return visit.SKIP;
      if (String(pair.key.value) === key) offset = pair.key.range?.[0] ?? null;
      return offset === null ? visit.SKIP : visit.BREAK;
    },
  });
  return offset;
}
