/**
 * Chooses the advisor. `auto` takes Codex if it is installed and logged in, then the provider in the configuration,
 * then `static_review`; if `CI` is set, it never falls back to static checks unless that is allowed.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type { ExpectedRun, Probe, Provider, ProviderEnvironment } from '../../providers/contract/contract.ts';
import type { Assurance } from '../../review/outcome/coverage.ts';
import { loadProvider, parseProviderChoice } from '../../providers/contract/registry.ts';
import type { LeadChoice } from './lead-choice.ts';

export interface AdvisorChoice extends LeadChoice {
  readonly assurance: Assurance;
  /** In characters; null if the provider accepts any length. */
  readonly promptLimit: number | null;
  /** The reason why `auto` fell back; null if it did not. */
  readonly fallback: string | null;
}

export interface AdvisorQuestion {
  /** `auto` or `provider[:model]`. */
  readonly advisor: string;
  /** The configuration's provider, which `auto` tries after Codex; null if the configuration names none. */
  readonly configured: string | null;
  /** Allows static checks if no model is available; false for a consult, which asks a model. Default true. */
  readonly staticDoes?: boolean;
  readonly allowStatic: boolean;
  readonly continuousIntegration: boolean;
  readonly environment: ProviderEnvironment;
}

/** @throws CollabError `usage` for an unknown provider; `cli_missing` or `auth` if no advisor is available */
export async function chooseAdvisor(question: AdvisorQuestion): Promise<AdvisorChoice> {
  if (question.advisor !== 'auto') return askedFor(question);
  const refusals: Extract<Probe, { ready: false }>[] = [];
  for (const name of ['codex', ...(question.configured === null ? [] : [question.configured])]) {
    const { provider: providerName, model } = parseProviderChoice(name);
    const provider = await loadProvider(providerName, question.environment.settings);
    const probe = await provider.probe(question.environment);
    if (probe.ready) return choice(provider, model, 'auto', null);
    refusals.push(probe);
  }
  return fallBack(question, refusals);
}

/** Starts probing the first possible advisor while the change is read. Ignores errors: the choice reports them. */
export async function warmUpAdvisor(
  { advisor, environment }: AdvisorQuestion,
  expect: (model: string | null) => ExpectedRun | null,
): Promise<void> {
  const { provider: name, model } = parseProviderChoice(advisor === 'auto' ? 'codex' : advisor);
  const provider = await loadProvider(name, environment.settings).catch(() => null);
  if (provider?.warmUp === undefined || environment.signal.aborted) return;
  provider.warmUp(environment, expect(model));
}

/** The provider's name if `auto` had no advisor to choose. */
export const nobody = 'none';

/** Returns a choice without an advisor: if nothing is reviewable, none is needed. */
export function noAdvisorNeeded(advisor: string): AdvisorChoice {
  return {
    provider: advisor === 'auto' ? nobody : parseProviderChoice(advisor).provider,
    model: null,
    assurance: 'none',
    promptLimit: null,
    chosenBy: advisor === 'auto' ? 'auto' : 'asked',
    fallback: null,
  };
}

async function askedFor({
  advisor,
  staticDoes = true,
  environment,
}: AdvisorQuestion): Promise<AdvisorChoice> {
  const { provider: providerName, model } = parseProviderChoice(advisor);
  const provider = await loadProvider(providerName, environment.settings);
  if (!provider.roles.includes('advisor')) {
    throw new CollabError('usage', `${providerName} cannot advise`, { hint: 'use --advisor codex' });
  }
  if (provider.assurance === 'static' && !staticDoes) {
    throw new CollabError('usage', `${providerName} only reviews changes; it answers no questions`, {
      hint: 'use --advisor codex',
    });
  }
  return choice(provider, model, 'asked', null);
}

async function fallBack(
  question: AdvisorQuestion,
  refusals: readonly Extract<Probe, { ready: false }>[],
): Promise<AdvisorChoice> {
  const [first] = refusals;
  const { staticDoes = true, continuousIntegration, allowStatic } = question;
  if (!staticDoes || (continuousIntegration && !allowStatic)) {
    const hint = first?.hint ?? 'npm install -g @openai/codex';
    throw new CollabError(first?.code ?? 'cli_missing', first?.message ?? 'no advisor is available', {
      hint: staticDoes ? `${hint}; or accept static checks: --allow-static` : hint,
    });
  }
  const why = first === undefined ? null : `${first.message} ${first.hint}`.trim();
  return choice(await loadProvider('static_review'), null, 'auto', why);
}

function choice(
  provider: Provider,
  model: string | null,
  chosenBy: AdvisorChoice['chosenBy'],
  fallback: string | null,
): AdvisorChoice {
  const { name, assurance, promptLimit } = provider;
  return { provider: name, model, assurance, promptLimit, chosenBy, fallback };
}
