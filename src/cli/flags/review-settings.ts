/** Merges the flags over the configuration into the settings of a review. */
import { resolve } from 'node:path';
import { may } from '../../access/may.ts';
import { owner, type Speaker } from '../../access/speaker.ts';
import type { ReportFormat, Settings } from '../../config/settings.ts';
import { reviewTimeLimitMs } from '../../config/waits.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { chooseOptionalLead, user, type LeadChoice } from '../../runs/agents/lead-choice.ts';
import type { ReviewOptions } from '../../runs/review/prepare.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { toReviewSettings } from '../../runs/folder/run-settings.ts';
import { budgetOf } from './budget-flags.ts';
import type { ReviewFlags } from './review-flags.ts';
import type { Session } from '../session.ts';
import { withChosenFolders } from './chosen-providers.ts';
import { readStandingFiles, type StandingOptions } from './standing-files.ts';

export interface MergedSettings extends Omit<ReviewOptions, 'change' | 'baseline'> {
  readonly notes: readonly string[];
  readonly format: ReportFormat;
  /** `null` if the configuration names none. */
  readonly configuredLead: string | null;
  readonly onAdvisorFailure: Settings['onAdvisorFailure'];
}

/** @throws CollabError `config`, `usage`, `range` */
export async function mergeSettings(
  session: Session,
  flags: ReviewFlags,
  about: Omit<StandingOptions, 'flags'>,
): Promise<MergedSettings> {
  const standing = await readStandingFiles(session, { flags, ...about });
  const { loaded, instructions, suppressions, ofRepository, notes } = standing;
  const config = ofRepository === null ? loaded.config : { ...loaded.config, include: [], exclude: [] };
  checkLimits(session.speaker ?? owner, flags, config);
  const settings = withFlags(session, config, flags);
  const providers = await withChosenFolders(session, config, flags);
  return {
    cwd: session.cwd,
    env: session.env,
    clock: session.clock,
    signal: session.signal,
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
    advisor: settings.advisor,
    lead: await chooseReviewLead(session, flags, { lead: settings.lead, providers }),
    verify: settings.verify,
    configuredAdvisor: config.advisor === 'auto' ? null : config.advisor,
    configuredLead: config.lead === 'auto' ? null : config.lead,
    onAdvisorFailure: settings.onAdvisorFailure,
    providerSettings: providers,
    allowStatic: settings.allowStatic,
    allowEmpty: settings.allowEmpty,
    // A tenant's run writes only its own files, even if the server's configuration requests reports.
    reports: may(session.speaker ?? owner, { does: 'name a path' }).allowed ? settings.reports : [],
    format: settings.format,
  };
}

/** Refuses limits of a tenant above the server's own. @throws CollabError `forbidden` */
function checkLimits(speaker: Speaker, flags: ReviewFlags, config: Settings): void {
  const limits = [
    ['--budget-usd', flags.budgetUsd, config.budgetUsd],
    ['--budget-tokens', flags.budgetTokens, config.budgetTokens],
    ['--budget-calls', flags.budgetCalls, config.budgetCalls],
    ['--time-limit', flags.timeLimit, config.timeLimitMs ?? reviewTimeLimitMs(1)],
    ['--concurrency', flags.concurrency, config.concurrency],
  ] as const;
  for (const [name, asked, own] of limits) {
    const isHigher = asked !== undefined && own !== null && asked > own;
    if (!isHigher || may(speaker, { does: 'raise a limit' }).allowed) continue;
    throw new CollabError('forbidden', `${name} asks for more than this server gives`, {
      hint: 'Leave it out, or ask for less.',
      details: { asked, own },
    });
  }
}

async function chooseReviewLead(
  { env }: Session,
  { ask, lead: named }: ReviewFlags,
  { lead, providers }: Pick<Settings, 'lead' | 'providers'>,
): Promise<LeadChoice | null> {
  if (ask !== true) return chooseOptionalLead({ lead, env, settings: flattenProviderSettings(providers) });
  if (named === undefined) return { provider: user, model: null, chosenBy: 'asked' };
  throw new CollabError('usage', '--ask and --lead name two to answer what the advisor asks back', {
    hint: 'give one of them',
  });
}

function withFlags(session: Session, config: Settings, flags: ReviewFlags): Settings {
  const absolute = (file: string) => resolve(session.cwd, file);
  const reports = (flags.report ?? []).map(({ format, file }) => ({ format, file: absolute(file) }));
  return {
    ...config,
    advisor: flags.advisor ?? config.advisor,
    lead: flags.lead ?? config.lead,
    verify: flags.verify ?? config.verify,
    allowStatic: flags.allowStatic ?? config.allowStatic,
    failOn: flags.failOn ?? config.failOn,
    allowEmpty: flags.allowEmpty ?? config.allowEmpty,
    failOnEmpty: flags.failOnEmpty ?? config.failOnEmpty,
    rules: flags.rules ?? config.rules,
    format: flags.format ?? config.format,
    reports: [...config.reports, ...reports],
    focus: flags.focus ?? config.focus,
    include: [...config.include, ...(flags.include ?? [])],
    exclude: [...config.exclude, ...(flags.exclude ?? [])],
    language: flags.language ?? config.language,
    timeLimitMs: flags.timeLimit ?? config.timeLimitMs,
    ...budgetOf(flags, config),
    concurrency: flags.concurrency ?? config.concurrency,
    cache: flags.cache === false ? false : config.cache,
  };
}
