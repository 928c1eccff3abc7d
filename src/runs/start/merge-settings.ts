/** Merges a request over the owner's defaults and the configuration into the settings of a run. */
import { may } from '../../access/permissions.ts';
import { owner, type Speaker } from '../../access/speaker.ts';
import { applySettings, requestIn } from '../../config/apply-settings.ts';
import { lowerLimits } from '../../config/repository-limits.ts';
import { flagName, settingKey, type Settings } from '../../config/settings-table.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { pick } from '../../text/pick.ts';
import { checkCacheKey } from '../cache/cache-secret.ts';
import { startSettings } from '../folder/run-settings.ts';
import type { ReviewOptions } from '../review/prepare.ts';
import { withChosenFolders } from './chosen-providers.ts';
import { pathsFromTop } from './paths-from-top.ts';
import { readStandingFiles } from './standing-files.ts';
import type { StartPlace } from './start-place.ts';
import { leadForGuest } from './guest-lead.ts';
import { withDefaults, type WholeRequest } from './with-defaults.ts';
import type { StartRequest } from './start-request.ts';

export interface MergedSettings extends Omit<ReviewOptions, 'change' | 'baseline' | 'lead'> {
  readonly notes: readonly string[];
  /** The choice of the request or the defaults. */
  readonly askedLead: string | undefined;
  /** `null` if the configuration names none. */
  readonly configuredLead: string | null;
}

export interface MergeOptions {
  readonly request: StartRequest;
  readonly place: StartPlace;
  /** The change under review; null if the run reviews no given change. */
  readonly change: ChangeRequest | null;
}

/** @throws CollabError `config`, `usage`, `range`, `forbidden` */
export async function mergeSettings({ request, place, change }: MergeOptions): Promise<MergedSettings> {
  const wanted = withDefaults(request, place.defaults);
  const reviews = request.kind !== 'consult';
  const standing = await readStandingFiles(place, { flags: wanted, change, reviews });
  const { loaded, instructions, checklists, dismissed, suppressions, ofRepository, notes } = standing;
  const config = ofRepository === null ? loaded.config : { ...loaded.config, ...loaded.globs.ofOwner };
  const { speaker = owner } = place;
  const inPlace = requestIn(place.cwd);
  // Only what the request itself asks for: the defaults are the owner's own.
  refuseRaised(speaker, config, applySettings(config, withDefaults(request), inPlace));
  const lead = await leadOf(request, { speaker, wanted, config });
  const asked = { ...wanted, ...(lead === undefined ? {} : { lead }) };
  const settings = applySettings(config, asked, inPlace);
  if (reviews && settings.cache) checkCacheKey(place.env);
  const providers = await withChosenFolders(place, config, namedAgents(request.kind, asked));
  const only = request.kind === 'review' ? pathsFromTop(request, place) : null;
  const isNarrowed = ofRepository !== null && ofRepository.include.length + ofRepository.exclude.length > 0;
  return {
    ...pick(place, ['cwd', 'env', 'clock', 'signal']),
    settings: startSettings(settings, {
      instructions,
      ...(checklists === null ? {} : { checklists }),
      ...(dismissed.length === 0 ? {} : { dismissed: [...dismissed] }),
      ...(only === null ? {} : { only }),
      ...(isNarrowed
        ? { repository: { include: [...ofRepository.include], exclude: [...ofRepository.exclude] } }
        : {}),
      ...(suppressions === null
        ? {}
        : { suppressions: { file: suppressions.name, entries: [...suppressions.entries] } }),
    }),
    notes,
    askedLead: asked.lead,
    configuredAdvisor: config.advisor === 'auto' ? null : config.advisor,
    configuredLead: config.lead === 'auto' ? null : config.lead,
    providerSettings: providers,
    // A tenant's run writes only its own files, even if the server's configuration requests reports.
    reports: may(speaker, { does: 'name a path' }).allowed ? settings.reports : [],
  };
}

/** Returns the agents that are named for this run, whose code may therefore run. A consult opens no lead. */
function namedAgents(
  kind: StartRequest['kind'],
  { advisor, lead }: WholeRequest,
): Pick<WholeRequest, 'advisor' | 'lead'> {
  switch (kind) {
    case 'review':
      return { advisor, lead };
    case 'run':
    case 'fix':
      return { advisor, lead: lead ?? 'none' };
    case 'consult':
      return { advisor, lead: 'none' };
  }
}

interface LeadFacts {
  readonly speaker: Speaker;
  readonly wanted: WholeRequest;
  readonly config: Settings;
}

async function leadOf(
  request: StartRequest,
  { speaker, wanted, config }: LeadFacts,
): Promise<string | undefined> {
  if (request.kind === 'consult' || speaker.kind !== 'guest' || request.lead !== undefined)
    return wanted.lead;
  return leadForGuest(speaker, { lead: wanted.lead ?? config.lead, needsOne: request.kind !== 'review' });
}

/** Refuses limits of a tenant above the server's own. @throws CollabError `forbidden` */
function refuseRaised(speaker: Speaker, own: Settings, asked: Settings): void {
  const [name] = lowerLimits(speaker, own, asked).raised;
  if (name === undefined) return;
  const key = settingKey(name);
  throw new CollabError('forbidden', `--${flagName(name)} is above the limit of this server`, {
    hint: 'Omit it, or use a lower value.',
    details: { asked: asked[key], own: own[key] },
  });
}
