/** How a setting and its default are written for people: in the schema for editors and in the file of `collab init`. */
import { writeDuration } from './duration.ts';
import { settingRow, type SettingName } from './settings-table.ts';

/** Returns what the setting is, with its default. */
export function describeSetting(name: SettingName): string {
  const { about, usually, is } = settingRow(name);
  const { default: usual } = is;
  const isPlain =
    usual !== null &&
    usual !== false &&
    (Array.isArray(usual) ? usual.length > 0 : typeof usual !== 'object');
  return [about, usually ?? (isPlain ? `Default ${defaultText(name).replaceAll(/^\[|\]$/g, '')}.` : '')]
    .join(' ')
    .trim();
}

/** Returns the default in YAML; an example if there is none. */
export function exampleOf(name: SettingName): string {
  return settingRow(name).example ?? defaultText(name);
}

function defaultText(name: SettingName): string {
  const { is } = settingRow(name);
  return yamlOf(is.default, is.unit === '_ms');
}

/** Renders a value on one line. Inside an object, `idle_ms: 1000` is `idle: 1s`. */
function yamlOf(value: unknown, isMs: boolean): string {
  if (isMs && typeof value === 'number') return writeDuration(value);
  if (Array.isArray(value)) return `[${value.map((one: unknown) => yamlOf(one, isMs)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).map(([key, one]: [string, unknown]) => {
    const bare = key.replace(/_ms$/, '');
    return `${bare}: ${yamlOf(one, bare !== key)}`;
  });
  return `{ ${parts.join(', ')} }`;
}
