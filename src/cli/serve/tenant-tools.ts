/** Restricts the tools of a tenant to what its grants mean: a tool over the served folder, not over collab or the machine. */
import { resolve } from 'node:path';
import type { Speaker } from '../../access/speaker.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { absoluteScript } from '../../config/script-path.ts';
import type { ToolSettings } from '../../config/settings.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { providerRoots } from '../../runs/start/chosen-providers.ts';
import type { ServedCommands } from './serve-lead.ts';

/** Returns the tool settings for a speaker: no tenant fetches from this machine or its network, whose services trust it. */
export function toolSettingsFor(speaker: Speaker, settings: ToolSettings): ToolSettings {
  const { web_fetch: fetch } = settings;
  if (speaker.kind === 'owner' || fetch === null) return settings;
  return { ...settings, web_fetch: { ...fetch, private_addresses: false } };
}

type OwnConfig = Pick<LoadedConfig, 'config' | 'userFile'>;

/** Returns the files and folders that no tool of the speaker changes. */
export function lockedFor(speaker: Speaker, loaded: OwnConfig, commands: ServedCommands): readonly string[] {
  return speaker.kind === 'owner' ? [] : ownFiles(loaded, commands);
}

/** Returns the files and folders of the owner that the server runs or obeys. */
export function ownFiles(
  { config, userFile }: OwnConfig,
  { session: { cwd }, flags }: ServedCommands,
): readonly string[] {
  const scripts = [flags.advisor, flags.lead, config.advisor, config.lead].flatMap(
    (choice = '') => /^rehearsal:(.+)$/s.exec(absoluteScript(choice, cwd))?.[1] ?? [],
  );
  const programs = Object.entries(flattenProviderSettings(config.providers)).flatMap(([key, value]) =>
    key.endsWith('.path') ? [value] : [],
  );
  const files = [flags.config, userFile, ...scripts, ...programs, ...providerRoots({ cwd }, config)];
  return files.flatMap((path) => (path === undefined || path === null ? [] : [resolve(cwd, path)]));
}
