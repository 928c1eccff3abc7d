/** A JSON value as inline TOML, for `-c key=value`. Nulls have no form in TOML and are left out. */
import type { z } from 'zod';

export type Json = z.infer<ReturnType<typeof z.json>>;

export function renderToml(value: Json): string {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) {
    return `[${value
      .filter((item) => item !== null)
      .map(renderToml)
      .join(',')}]`;
  }
  if (value !== null && typeof value === 'object') return renderTable(value);
  return String(value);
}

function renderTable(table: Readonly<Record<string, Json>>): string {
  const entries = Object.entries(table).filter(([, value]) => value !== null);
  return `{${entries.map(([key, value]) => `${tomlString(key)}=${renderToml(value)}`).join(',')}}`;
}

/** A basic string of TOML 1.0 is a JSON string, but for DEL. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u{7f}', String.raw`\u007f`);
}
