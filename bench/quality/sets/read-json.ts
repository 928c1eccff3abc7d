/** Reads a JSON file of a set. All faults name the file, and the place in it. */
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { QualityError } from './benchmark-set.ts';

/** @throws QualityError */
export function readJson<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  return parse(file, readText(file), schema);
}

/** Reads JSON Lines; empty lines are skipped. @throws QualityError */
export function readJsonLines<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema>[] {
  return readText(file)
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parse(`${file}:${index + 1}`, line, schema)]));
}

function parse<Schema extends z.ZodType>(place: string, text: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(jsonOf(place, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(
    `${place}: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not as expected'}`,
  );
}

function jsonOf(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(`${place} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new QualityError(`${file} cannot be read`, 'Name an existing file.');
  }
}

function damaged(message: string): QualityError {
  return new QualityError(message, 'Fetch the file again, at the commit that you pinned.');
}
