/** Merges a request over the owner's defaults and the configuration into the settings of a run. */
import { resolve } from 'node:path';
import { may } from '../../access/may.ts';
import { owner, type Speaker } from '../../access/speaker.ts';
import type { ReportFormat, Settings } from '../../config/settings.ts';
import { reviewTimeLimitMs } from '../../config/waits.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { toReviewSettings } from '../folder/run-settings.ts';
import type { ReviewOptions } from '../review/prepare.ts';
import { withChosenFolders } from './chosen-providers.ts';
import { readStandingFiles } from './standing-files.ts';
import type { StartPlace } from './start-place.ts';
import { leadForGuest } from './guest-lead.ts';
import type { ReviewStart, StartDefaults, StartRequest } from './start-request.ts';

export interface MergedSettings extends Omit<ReviewOptions, 'change' | 'baseline' | 'lead'> {
  readonly notes: readonly string[];
  /** The format that the configuration sets for standard output. */
  readonly format: ReportFormat;
  /** The choice of the request or the defaults. */
  readonly askedLead: string | undefined;
  /** The same, otherwise the configuration's. */
  readonly wantedLead: string;
  /** `null` if the configuration names none. */
  readonly configuredLead: string | null;
  readonly onAdvisorFailure: Settings['onAdvisorFailure'];
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
  const { loaded, instructions, suppressions, ofRepository, globsOnDisk, notes } = standing;
  const config = ofRepository === null ? loaded.config : { ...loaded.config, ...loaded.globs.ofOwner };
  const { speaker = owner } = place;
  // Only what the request itself asks for: the defaults are the owner's own.
  checkLimits(speaker, withDefaults(request), config);
  const lead = await leadOf(request, { speaker, wanted, config });
  const asked = { ...wanted, ...(lead === undefined ? {} : { lead }) };
  const settings = settingsOf(asked, config, place);
  const providers = await withChosenFolders(place, config, namedAgents(request.kind, asked));
  return {
    cwd: place.cwd,
    env: place.env,
    clock: place.clock,
    signal: place.signal,
    settings: {
      ...toReviewSettings(settings, instructions),
      ...(ofRepository === null || ofRepository.include.length + ofRepository.exclude.length === 0
        ? {}
        : { repository: { include: [...ofRepository.include], exclude: [...ofRepository.exclude] } }),
      ...(suppressions === null
        ? {}
        : { suppressions: { file: suppressions.name, entries: [...suppressions.entries] } }),
    },
    notes,
    globsOnDisk,
    advisor: settings.advisor,
    verify: settings.verify,
    askedLead: asked.lead,
    wantedLead: settings.lead,
    configuredAdvisor: config.advisor === 'auto' ? null : config.advisor,
    configuredLead: config.lead === 'auto' ? null : config.lead,
    onAdvisorFailure: settings.onAdvisorFailure,
    providerSettings: providers,
    allowStatic: settings.allowStatic,
    allowEmpty: settings.allowEmpty,
    // A tenant's run writes only its own files, even if the server's configuration requests reports.
    reports: may(speaker, { does: 'name a path' }).allowed ? settings.reports : [],
    format: settings.format,
  };
}

/** The request, with the owner's choices for what it leaves out. */
type Asked = Omit<ReviewStart, 'kind' | 'changes'>;

function withDefaults(request: StartRequest, defaults: StartDefaults = {}): Asked {
  const own = Object.entries(request).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(own) };
}

/** Returns the agents that are named for this run, whose code may therefore run. A consult opens no lead. */
function namedAgents(kind: StartRequest['kind'], { advisor, lead }: Asked): Pick<Asked, 'advisor' | 'lead'> {
  switch (kind) {
    case 'review':
      return { advisor, lead };
    case 'run':
      return { advisor, lead: lead ?? 'none' };
    case 'consult':
      return { advisor, lead: 'none' };
  }
}

interface LeadFacts {
  readonly speaker: Speaker;
  readonly wanted: Asked;
  readonly config: Settings;
}

async function leadOf(
  request: StartRequest,
  { speaker, wanted, config }: LeadFacts,
): Promise<string | undefined> {
  if (request.kind === 'consult' || speaker.kind !== 'guest' || request.lead !== undefined)
    return wanted.lead;
  return leadForGuest(speaker, { lead: wanted.lead ?? config.lead, needsOne: request.kind === 'run' });
}

/** Refuses limits of a tenant above the server's own. @throws CollabError `forbidden` */
function checkLimits(speaker: Speaker, asked: Asked, config: Settings): void {
  const limits = [
    ['--budget-usd', asked.budgetUsd, config.budgetUsd],
    ['--budget-tokens', asked.budgetTokens, config.budgetTokens],
    ['--budget-calls', asked.budgetCalls, config.budgetCalls],
    ['--time-limit', asked.timeLimit, config.timeLimitMs ?? reviewTimeLimitMs(1)],
    ['--concurrency', asked.concurrency, config.concurrency],
  ] as const;
  for (const [name, wanted, own] of limits) {
    const isHigher = wanted !== undefined && own !== null && wanted > own;
    if (!isHigher || may(speaker, { does: 'raise a limit' }).allowed) continue;
    throw new CollabError('forbidden', `${name} is above the limit of this server`, {
      hint: 'Omit it, or use a lower value.',
      details: { asked: wanted, own },
    });
  }
}

function settingsOf(asked: Asked, config: Settings, { cwd }: StartPlace): Settings {
  const reports = (asked.report ?? []).map(({ format, file }) => ({ format, file: resolve(cwd, file) }));
  return {
    ...config,
    advisor: asked.advisor ?? config.advisor,
    lead: asked.lead ?? config.lead,
    verify: asked.verify ?? config.verify,
    allowStatic: asked.allowStatic ?? config.allowStatic,
    failOn: asked.failOn ?? config.failOn,
    allowEmpty: asked.allowEmpty ?? config.allowEmpty,
    failOnEmpty: asked.failOnEmpty ?? config.failOnEmpty,
    rules: asked.rules ?? config.rules,
    reports: [...config.reports, ...reports],
    focus: asked.focus ?? config.focus,
    include: [...config.include, ...(asked.include ?? [])],
    exclude: [...config.exclude, ...(asked.exclude ?? [])],
    language: asked.language ?? config.language,
    timeLimitMs: asked.timeLimit ?? config.timeLimitMs,
    budgetUsd: asked.budgetUsd ?? config.budgetUsd,
    budgetTokens: asked.budgetTokens ?? config.budgetTokens,
    budgetCalls: asked.budgetCalls ?? config.budgetCalls,
    concurrency: asked.concurrency ?? config.concurrency,
    cache: asked.cache ?? config.cache,
  };
}
