/** The schema of `collab.config.yaml`: strict, every key optional. Source of `schemas/collab.config.json`. */
import { z } from 'zod';
import { describeSetting } from './describe-setting.ts';
import { settingNames, settingRow, type SettingName, type SettingWords } from './settings-table.ts';

type Optional<Words> = z.ZodOptional<z.ZodType<Exclude<Words, undefined>>>;

function configShape(): { readonly [Name in SettingName]: Optional<SettingWords[Name]> };
function configShape(): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(
    settingNames.map((name) => {
      const schema = settingRow(name).is.schema(z).optional();
      return [name, schema.describe(describeSetting(name))];
    }),
  );
}

export const configSchema = z.strictObject(configShape()).describe('Configuration of collab.');

/** Returns the JSON Schema that ships with the package, for editors. @internal */
export function renderConfigSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ title: 'collab.config.yaml', ...schema }, null, 2)}\n`;
}
