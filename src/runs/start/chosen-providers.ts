/**
 * Third-party providers are code. It runs only if the user has named it on the command line, never because a
 * configuration names it or because it is in the folder (ADR 0025).
 */
import { basename, resolve } from 'node:path';
import { may } from '../../access/permissions.ts';
import { requireMay } from '../../access/require.ts';
import { owner, repository } from '../../access/speaker.ts';
import type { Settings } from '../../config/settings-table.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { isInside } from '../../system/is-inside.ts';
import { realPath, repositoryOf } from '../../providers/program/program-files.ts';
import {
  folderSetting,
  parseProviderChoice,
  providerNames,
  unknownProvider,
} from '../../providers/contract/registry.ts';
import { isContinuousIntegration } from '../agents/advisor-question.ts';
import type { StartDefaults } from './start-request.ts';
import type { StartPlace } from './start-place.ts';

/** Names that do not mean a provider. */
const noProvider: ReadonlySet<string> = new Set(['auto', 'caller', 'none']);

/** Returns the provider settings, with the folders of those that may run. @throws CollabError `usage`, `forbidden` */
export async function withChosenFolders(
  place: Pick<StartPlace, 'cwd' | 'env' | 'speaker'>,
  config: Pick<Settings, 'advisor' | 'lead' | 'providers' | 'provider_paths'>,
  flags: Pick<StartDefaults, 'advisor' | 'lead'>,
): Promise<Settings['providers']> {
  const named = foreignNames([flags.advisor, flags.lead]);
  const configured = foreignNames([
    ...(flags.advisor === undefined ? [config.advisor] : []),
    ...(flags.lead === undefined ? [config.lead] : []),
  ]);
  if (named.length === 0 && configured.length === 0) return config.providers;
  const folders = await foldersByName(place, config);
  // A name in a configuration is not the user's own choice, even if the user wrote the file.
  const mayRun = may(repository, { does: "run a provider's folder" }).allowed;
  const [unasked] = configured.filter((name) => !mayRun && folders.has(name) && !named.includes(name));
  if (unasked !== undefined) throw onlyByName(unasked);
  const chosen = named.flatMap((name) => {
    const path = folders.get(name);
    if (path === undefined) {
      const words = name === nameIn(flags.lead) ? [...noProvider] : ['auto'];
      throw unknownProvider(name, [...providerNames, ...folders.keys()], words);
    }
    const { speaker = owner } = place;
    requireMay(speaker, { does: "run a provider's folder", what: name }, `the provider ${name}`);
    refuseInContinuousIntegration(place, name, path);
    return [[name, { ...config.providers[name], folder: path }] as const];
  });
  return { ...config.providers, ...Object.fromEntries(chosen) };
}

/** Returns the folders that hold third-party providers. */
export function providerRoots(
  { cwd }: Pick<StartPlace, 'cwd'>,
  config: Pick<Settings, 'provider_paths'>,
): readonly string[] {
  return config.provider_paths ?? [resolve(cwd, 'ai_client')];
}

function foreignNames(choices: readonly (string | undefined)[]): readonly string[] {
  const names = choices.flatMap((text) => nameIn(text) ?? []);
  return [...new Set(names)].filter((name) => !noProvider.has(name) && !providerNames.includes(name));
}

function nameIn(choice: string | undefined): string | undefined {
  return choice === undefined ? undefined : parseProviderChoice(choice).provider;
}

async function foldersByName(
  place: Pick<StartPlace, 'cwd'>,
  config: Pick<Settings, 'provider_paths'>,
): Promise<ReadonlyMap<string, string>> {
  const { providerFolders } = await import('../../providers/folders/loader.ts');
  const paths = providerRoots(place, config).flatMap(providerFolders);
  return new Map(paths.toReversed().map((path) => [basename(path), path]));
}

function onlyByName(name: string): CollabError {
  return new CollabError(
    'usage',
    `the configuration names ${name}, whose code is in a folder of this project`,
    {
      hint: `Name it yourself to run its code: --advisor ${name} or --lead ${name}`,
      details: { name, setting: folderSetting(name) },
    },
  );
}

/** A change could add the very reviewer that judges it. */
function refuseInContinuousIntegration(
  { cwd, env }: Pick<StartPlace, 'cwd' | 'env'>,
  name: string,
  path: string,
): void {
  if (!isContinuousIntegration(env) || !isInside(realPath(path) ?? path, repositoryOf(cwd))) return;
  throw new CollabError('usage', `${name} is code from the checkout under review, and CI is set`, {
    hint: 'Keep the provider outside the checkout: --config <file outside it>, with provider_paths.',
    details: { name, path },
  });
}
