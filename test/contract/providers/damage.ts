/** Damage to an API's data as gateways and networks cause it, chosen by numbers so that it can be repeated. */
import { z } from 'zod';

type Json = z.infer<ReturnType<typeof z.json>>;

export type DamageKind = (typeof damageKinds)[number];

const damageKinds = ['null', 'remove', 'retype', 'repeat', 'swap', 'drop', 'insert', 'cut'] as const;

export interface Damage {
  readonly kind: DamageKind;
  /** The place, for a failing test. */
  readonly place: string;
  readonly values: readonly unknown[];
  /** The last value is written only up to this byte. */
  readonly cut?: number;
}

/** @param draw four whole numbers: the kind, the value, the field, the replacement */
export function damage(values: readonly unknown[], draw: readonly number[]): Damage {
  const [kindDraw = 0, valueDraw = 0, fieldDraw = 0, otherDraw = 0] = draw;
  const kind = pick(damageKinds, kindDraw);
  const index = valueDraw % values.length;
  const value = values[index];
  const put = (...replaced: readonly unknown[]): readonly unknown[] =>
    values.toSpliced(index, 1, ...replaced);
  switch (kind) {
    case 'repeat':
      return { kind, place: String(index), values: put(value, value) };
    case 'drop':
      return { kind, place: String(index), values: put() };
    case 'swap':
      return { kind, place: String(index), values: put().toSpliced(index + 1, 0, value) };
    case 'insert':
      return { kind, place: String(index), values: put(value, pick(strangers, otherDraw)) };
    case 'cut':
      return {
        kind,
        place: `${String(index)}:${String(fieldDraw)}`,
        values: values.slice(0, index + 1),
        cut: fieldDraw,
      };
    case 'null':
    case 'remove':
    case 'retype': {
      const paths = pathsIn(value);
      if (paths.length === 0) return { kind: 'drop', place: String(index), values: put() };
      const path = pick(paths, fieldDraw);
      const changed = changeAt(z.json().parse(value), path, (old) => {
        if (kind === 'remove') return undefined;
        return kind === 'null' ? null : retyped(old, otherDraw);
      });
      return { kind, place: [index, ...path].join('.'), values: put(changed) };
    }
  }
}

const strangers = [
  { type: 'ping_from_the_future', object: 'mystery', data: [1, { a: null }] },
  { type: 'keep_alive' },
  {},
  { object: 'chat.completion.chunk', choices: [] },
];

function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const below = Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

function changeAt(
  value: Json,
  [key, ...rest]: readonly string[],
  change: (old: Json) => Json | undefined,
): Json {
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, child]): readonly (readonly [string, Json])[] => {
    if (name !== key) return [[name, child]];
    const changed = rest.length === 0 ? change(child) : changeAt(child, rest, change);
    return changed === undefined ? [] : [[name, changed]];
  });
  return Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}

/** Returns a value of another type. */
function retyped(old: Json, draw: number): Json {
  const others: readonly Json[] = [-1.5, true, 'a text', ['a list'], { an: 'object' }, {}];
  const typeOf = (value: Json): string => (Array.isArray(value) ? 'list' : typeof value);
  return pick(
    others.filter((other) => typeOf(other) !== typeOf(old)),
    draw,
  );
}

function pick<T>(list: readonly T[], draw: number): T {
  const item = list[draw % list.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
