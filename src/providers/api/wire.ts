/**
 * The edge at which an API's data is checked. Gateways omit, null and retype fields. A damaged field counts as missing
 * if it is not part of the answer; otherwise the turn fails and names the field, so that nothing is lost silently.
 */
import { z } from 'zod';
import type { ModelFailure } from '../contract/model.ts';

/** A text that may be missing. */
export const wireText = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** A text that is not part of the answer, such as a model name; another type counts as missing. */
export const wireNote = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => (text === null || text === '' ? undefined : text));

/** A number of tokens, which some gateways write as text; another type counts as missing. */
export const wireCount = z.coerce
  .number()
  .nonnegative()
  .nullish()
  .catch(null)
  .transform((count) => count ?? undefined);

/** A list that may be missing. */
export function wireList<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

/** Arguments of a call: text, or JSON that a gateway has already parsed. */
export const wireArguments = z
  .union([z.string(), z.record(z.string(), z.json())])
  .nullish()
  .transform((written) =>
    typeof written === 'object' && written !== null ? JSON.stringify(written) : (written ?? ''),
  );

export interface WireReader {
  /** Returns the checked value, or null for one that cannot be read. */
  read<Value>(schema: z.ZodType<Value>, data: unknown): Value | null;
  /** Records what cannot be understood; the first record is the failure. */
  misread(what: string): void;
  /** Returns the failure of the turn, or null if everything was read. */
  failure(): ModelFailure | null;
}

export function createWireReader(): WireReader {
  let found: string | null = null;
  const misread = (what: string): void => {
    found ??= what;
  };
  return {
    read(schema, data) {
      const { data: value, error } = schema.safeParse(data);
      if (error === undefined) return value;
      misread(describeIssue(error));
      return null;
    },
    misread,
    failure: () =>
      found === null ? null : { kind: 'cut', message: `the API sent data that cannot be read: ${found}` },
  };
}

function describeIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.join('.') ?? '';
  return `${path === '' ? 'the answer' : path}: ${issue?.message ?? 'unknown'}`;
}

/** An event or item whose type decides how it is read. */
export const typed = z.looseObject({ type: z.string() });
