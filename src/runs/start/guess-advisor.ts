/**
 * Names the advisor of a review before the repository's configuration is read: that file can name none, and its limits can
 * only be lower (ADR 99).
 */
import { applySettings, requestIn } from '../../config/apply-settings.ts';
import { noFiles } from '../../config/file-source.ts';
import { loadConfig } from '../../config/load-config.ts';
import { parseProviderChoice } from '../../providers/contract/registry.ts';
import type { AdvisorOptions } from '../agents/advisor-question.ts';
import { startSettings } from '../folder/run-settings.ts';
import type { StartPlace } from './start-place.ts';
import type { ReviewStart } from './start-request.ts';
import { withDefaults } from './with-defaults.ts';

/** Returns null if it cannot be known yet, or is no program of its own. A wrong setting is reported by its reader. */
export async function guessAdvisor(request: ReviewStart, place: StartPlace): Promise<AdvisorOptions | null> {
  if (request.config !== undefined || request.config_from !== undefined) return null;
  const { cwd, env, signal, defaults } = place;
  try {
    const { config } = await loadConfig({ cwd, env, source: noFiles });
    const settings = applySettings(config, withDefaults(request, defaults), requestIn(cwd));
    const advisor = settings.advisor === 'auto' ? 'codex' : settings.advisor;
    if (parseProviderChoice(advisor).provider !== 'codex') return null;
    return {
      cwd,
      env,
      signal,
      settings: startSettings(settings),
      configuredAdvisor: null,
      providerSettings: config.providers,
    };
  } catch {
    return null;
  }
}
