/** The parts of a server that a tenant may get: its repository by name, and the agents that it chose. */
import { join } from 'node:path';
import type { Guest, Speaker } from '../../access/speaker.ts';
import { may } from '../../access/permissions.ts';
import { readsRepository } from '../access/reads-repository.ts';
import type { FlagWords, Settings } from '../../config/settings-table.ts';
import { parseProviderChoice } from '../../providers/contract/registry.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import type { StartDefaults } from '../../runs/start/start-request.ts';
import type { Clock } from '../../system/clock.ts';
import { openServerFolder } from '../access/server-folder.ts';

/** The served folder and its surroundings. */
export interface ServedFolder {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** The agents and files that the server was started with. */
export type ServerChoices = FlagWords<'serve'> & Pick<StartDefaults, 'config' | 'config_from'>;

/** A script is a file of this machine; its name is of no use to other users. */
const neverListed: ReadonlySet<string> = new Set(['auto', 'rehearsal']);

/** Returns the providers that need no grant: the server's own agents, and those that cost nothing and hold no data. */
export function listedProviders(
  config: Pick<Settings, 'advisor' | 'lead'>,
  choices: Pick<ServerChoices, 'advisor' | 'lead'>,
): readonly string[] {
  const chosen = [choices.advisor ?? config.advisor, choices.lead ?? config.lead];
  const names = chosen.map((choice) => parseProviderChoice(choice).provider);
  return ['static_review', 'none', 'caller', ...names.filter((name) => !neverListed.has(name))];
}

/** Returns the folder of a request: without a grant for the repository, an empty folder outside every repository. */
export function folderFor(speaker: Speaker, { cwd, env, clock }: ServedFolder): string {
  if (may(speaker, readsRepository(cwd)).allowed) return cwd;
  const empty = join(openServerFolder({ home: collabHome({ cwd, env }), env, clock }).path, 'nowhere');
  makeFolder(empty);
  return empty;
}

/** Returns true if a tenant's choice is the server's own: `auto`, or that provider's name without a model. */
export function isOwnChoice(named: string, choice: string | undefined, { providers }: Guest): boolean {
  if (named === 'auto') return true;
  return choice !== undefined && providers.includes(named) && parseProviderChoice(choice).provider === named;
}
