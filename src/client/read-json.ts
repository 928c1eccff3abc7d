/** Checks of foreign JSON before it is used; without zod, for browsers. */
export type Kind = 'string' | 'number' | 'boolean' | 'record' | 'array';
export type Fields = Readonly<Record<string, Kind>>;

export function hasFields(value: unknown, fields: Fields): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.entries(fields).every(([field, kind]) => isOf(kind, value[field]));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'array') return Array.isArray(value);
  return kind === 'record' ? isRecord(value) : typeof value === kind;
}
