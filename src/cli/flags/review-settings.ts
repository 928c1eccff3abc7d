/** The configuration with the flags over it: by what a review is done. */
import { resolve } from 'node:path';
import type { ReportFormat, Settings } from '../../config/settings.ts';
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
  /** Null where the configuration names none. */
  readonly configuredLead: string | null;
  readonly onAdvisorFailure: Settings['onAdvisorFailure'];
}

/** @throws CollabError `config`, `usage`, `range` */
export async function mergeSettings(
  session: Session,
  flags: ReviewFlags,
  about: Omit<StandingOptions, 'flags'>,
): Promise<MergedSettings> {
  const { loaded, instructions, suppressions, notes } = await readStandingFiles(session, { flags, ...about });
  const { config } = loaded;
  const settings = withFlags(session, config, flags);
  const providers = await withChosenFolders(session, config, flags);
  return {
    cwd: session.cwd,
    env: session.env,
    clock: session.clock,
    signal: session.signal,
    settings: {
      ...toReviewSettings(settings, instructions),
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
    reports: settings.reports,
    format: settings.format,
  };
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
