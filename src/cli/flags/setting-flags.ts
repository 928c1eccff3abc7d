/** The flags of settings, derived from the table: a command has those of the rows that name it. */
import { Option, type Command } from 'commander';
import {
  flagName,
  settingRow,
  flagSettings,
  type SettingCommand,
  type SettingName,
} from '../../config/settings-table.ts';
import { takes } from './flag-values.ts';
import { withProviders } from './provider-help.ts';

/** Adds the flags of a command's settings. Their values have the settings' names. */
export function addSettingFlags(command: Command, name: SettingCommand): Command {
  for (const setting of flagSettings(name)) {
    const { flag = {}, noFlag = {} } = settingRow(setting);
    if (flag[name] !== undefined) command.addOption(settingOption(setting, withProviders(flag[name])));
    if (noFlag[name] !== undefined)
      command.addOption(new NamedOption(setting, `--no-${flagName(setting)}`, noFlag[name]));
  }
  return command;
}

/** The flags that choose the files of the configuration. */
export function addConfigurationFlags(command: Command): Command {
  return command
    .option('--config <file>', 'use this configuration file instead of collab.config.yaml')
    .addOption(
      new NamedOption(
        'config_from',
        '--config-from <ref>',
        'read configuration and REVIEW.md from this commit; with CI set: default is the base of the change',
      ),
    );
}

/** An option with the name of a request's key: Commander would store `--fail-on` as `failOn`. */
export class NamedOption extends Option {
  readonly #key: string;

  constructor(key: string, flags: string, help: string) {
    super(flags, help);
    this.#key = key;
  }

  override attributeName(): string {
    return this.#key;
  }
}

function settingOption(setting: SettingName, help: string): Option {
  const { text, choices, isList = false } = settingRow(setting).is;
  const flag = `--${flagName(setting)}`;
  if (text === null) return new NamedOption(setting, flag, help);
  const option = new NamedOption(setting, `${flag} <${text.name}>`, help);
  if (choices !== undefined) return option.choices(choices);
  const take = takes(flag, text);
  return option.argParser((value, former: unknown) =>
    isList ? collected(take(value), former) : take(value),
  );
}

/** Collects the values of a repeatable flag. */
export function collected(value: unknown, former: unknown): readonly unknown[] {
  return [...(Array.isArray(former) ? former : []), value];
}
