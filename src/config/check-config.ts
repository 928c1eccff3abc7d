/** Checks the text of a configuration file; an error has the file, line, column and the closest valid word. */
import { CollabError } from '../errors/collab-error.ts';
import { readYamlAs, type YamlFault } from '../parsers/yaml/read-yaml-as.ts';
import { configSchema } from './config-schema.ts';
import type { SettingWords } from './settings-table.ts';

export interface CheckedConfig {
  readonly config: SettingWords;
  /** Builds the error for a value that is well-formed but cannot be used. */
  readonly refuse: (path: readonly PropertyKey[], message: string, hint: string) => CollabError;
}

/** Parses and checks the text. `name` is the file's name in messages. @throws CollabError `config` */
export function checkConfig(text: string, name: string): CheckedConfig {
  const reading = readYamlAs(configSchema, text);
  if (!reading.ok) throw firstFault(name, reading.faults);
  return {
    config: reading.value,
    refuse: (path, message, hint) =>
      configError(name, {
        position: reading.positionOf(path),
        message: `${path.join('.')}: ${message}`,
        hint,
      }),
  };
}

/** Builds the error for the first fault in one of our YAML files. */
export function firstFault(name: string, [first, ...others]: readonly YamlFault[]): CollabError {
  if (first === undefined) throw new Error('a schema refused a value without an issue');
  return configError(name, first, others.length);
}

function configError(file: string, { message, hint, position }: YamlFault, more = 0): CollabError {
  const also = more === 0 ? '' : ` (and ${more} more)`;
  return new CollabError('config', `${file}:${position.line}:${position.column}: ${message}${also}`, {
    ...(hint === null ? {} : { hint }),
    details: { file, ...position },
  });
}
