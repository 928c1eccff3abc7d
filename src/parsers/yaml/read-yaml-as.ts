/**
 * Reads YAML text into a value of a schema, or lists all its faults, each with its place and the nearest valid word.
 */
import type { z } from 'zod';
import { explainIssues, lowerFirst } from './explain-issues.ts';
import { readYaml, type Position, type PositionOf } from './read-yaml.ts';

export interface YamlFault {
  readonly position: Position;
  readonly message: string;
  readonly hint: string | null;
}

export type YamlReading<T> =
  | { readonly ok: true; readonly value: T; readonly positionOf: PositionOf }
  | {
      readonly ok: false;
      readonly faults: readonly YamlFault[];
      /** The value in spite of faults; undefined if the text is not YAML. */
      readonly value: unknown;
      readonly positionOf: PositionOf;
    };

/** Reads YAML. Faults are in the order of the text. A text without content is read as an empty mapping. */
export function readYamlAs<T>(schema: z.ZodType<T>, text: string): YamlReading<T> {
  const yaml = readYaml(text);
  if (!yaml.ok) {
    const { position } = yaml;
    const faults = [{ position, message: lowerFirst(yaml.message), hint: null }];
    return { ok: false, faults, value: undefined, positionOf: () => position };
  }
  const result = schema.safeParse(yaml.value ?? {}, { reportInput: true });
  if (result.success) return { ok: true, value: result.data, positionOf: yaml.positionOf };
  const faults = explainIssues(schema, result.error.issues, 'the file')
    .map(({ path, key, message, hint }) => ({ position: yaml.positionOf(path, key), message, hint }))
    .toSorted((one, other) => comparePositions(one.position, other.position));
  return { ok: false, faults, value: yaml.value, positionOf: yaml.positionOf };
}

export function comparePositions(one: Position, other: Position): number {
  return one.line - other.line || one.column - other.column;
}
