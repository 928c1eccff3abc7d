/**
 * Who advises (DESIGN §7). `auto` takes Codex if it is installed and logged in, then the provider that the configuration
 * names, then `static_review`; where `CI` is set it never falls back to static checks unless that is allowed.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type {
  Assurance,
  ExpectedRun,
  Probe,
  Provider,
  ProviderEnvironment,
} from '../../providers/contract/contract.ts';
import { loadProvider, parseProviderChoice } from '../../providers/contract/registry.ts';

export interface AdvisorChoice {
  readonly provider: string;
  readonly model: string | null;
  readonly assurance: Assurance;
  /** In characters; null where the provider takes any length. */
  readonly promptLimit: number | null;
  readonly chosenBy: 'asked' | 'auto';
  /** Why `auto` fell back; null where it did not. */
  readonly fallback: string | null;
}

export interface AdvisorQuestion {
  /** `auto` or `provider[:model]`. */
  readonly advisor: string;
  /** The configuration's provider, tried by `auto` after Codex; null where none is named. */
  readonly configured: string | null;
  /** Whether static checks can do it where no model is to be had; a consult is a question to a model. Default true. */
  readonly staticDoes?: boolean;
  readonly allowStatic: boolean;
  readonly continuousIntegration: boolean;
  readonly environment: ProviderEnvironment;
}

/** @throws CollabError `usage` for an unknown provider; `cli_missing` or `auth` where nobody can advise */
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

/** Begins to look at the first that may advise, so that the change can be read meanwhile. Says nothing of faults: the choice does. */
export async function warmUpAdvisor(
  { advisor, environment }: AdvisorQuestion,
  expect: (model: string | null) => ExpectedRun | null,
): Promise<void> {
  const { provider: name, model } = parseProviderChoice(advisor === 'auto' ? 'codex' : advisor);
  const provider = await loadProvider(name, environment.settings).catch(() => null);
  if (provider?.warmUp === undefined || environment.signal.aborted) return;
  provider.warmUp(environment, expect(model));
}

/** The provider's name where `auto` had nobody to choose. */
export const nobody = 'none';

/** Where nothing is reviewable nobody is asked, and so nobody needs to be there. */
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
  if (question.staticDoes === false) {
    throw new CollabError(first?.code ?? 'cli_missing', first?.message ?? 'no advisor is available', {
      hint: first?.hint ?? 'npm install -g @openai/codex',
    });
  }
  if (question.continuousIntegration && !question.allowStatic) {
    throw new CollabError(first?.code ?? 'cli_missing', first?.message ?? 'no advisor is available', {
      hint: `${first?.hint ?? 'npm install -g @openai/codex'}; or let static checks do: --allow-static`,
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
