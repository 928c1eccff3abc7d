import type { Phase } from '../../tags/tags.ts';
import { createAdvisor, type Advisor } from './advisor-agent.ts';
import type { DriveFolderOptions } from '../drive-options.ts';
import type { RunInput } from '../folder/run-input.ts';
import { limitsIn } from '../folder/run-settings.ts';

export interface AdvisorPlace {
  /** The run's private folder. */
  readonly state: string;
  /** The folder that it may read; null: nothing. */
  readonly review: string | null;
  /** The phase whose limits apply to its turns; null: the limits of no particular phase. */
  readonly phase: Phase | null;
}

/** Opens the advisor that a run's input names. */
export function advisorOfRun(
  { env, signal, runId }: Pick<DriveFolderOptions, 'env' | 'signal' | 'runId'>,
  { cwd, advisor, settings }: Pick<RunInput, 'cwd' | 'advisor' | 'settings'>,
  { state, review, phase }: AdvisorPlace,
): Advisor {
  return createAdvisor(advisor, {
    env,
    cwd,
    settings: advisor.settings,
    signal,
    runId,
    model: advisor.model,
    stateFolder: state,
    reviewFolder: review,
    limits: limitsIn(settings, phase),
  });
}
