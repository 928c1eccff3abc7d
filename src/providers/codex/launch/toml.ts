/** Renders a JSON value as inline TOML, for `-c key=value`. TOML has no null, so nulls are left out. */
import type { z } from 'zod';

export type TomlValue = z.infer<ReturnType<typeof z.json>>;

export function renderToml(value: TomlValue): string {
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

function renderTable(table: Readonly<Record<string, TomlValue>>): string {
  const entries = Object.entries(table).filter(([, value]) => value !== null);
  return `{${entries.map(([key, value]) => `${tomlString(key)}=${renderToml(value)}`).join(',')}}`;
}

/** Returns a basic string of TOML 1.0, which is a JSON string except for DEL. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u{7f}', String.raw`\u007f`);
}
