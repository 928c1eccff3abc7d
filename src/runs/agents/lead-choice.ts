/**
 * Who leads (DESIGN §7). `auto` takes whoever called us inside Claude Code, then a logged-in Claude Code, then the provider
 * that the configuration names. A plain review needs no lead: there `auto` takes the caller or nobody.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type { Probe, Provider, ProviderEnvironment } from '../../providers/contract/contract.ts';
import { loadProvider, parseProviderChoice } from '../../providers/contract/registry.ts';

export interface LeadChoice {
  /** A provider's name, `caller` or `user`. */
  readonly provider: string;
  readonly model: string | null;
  readonly chosenBy: 'asked' | 'auto';
}

export interface LeadQuestion {
  /** `auto`, `caller`, or `provider[:model]`. */
  readonly lead: string;
  /** The configuration's lead, tried by `auto` after Claude Code; null where none is named. */
  readonly configured: string | null;
  readonly environment: ProviderEnvironment;
}

/** Whoever called us leads: its turns and answers come by `collab answer`. */
export const caller = 'caller';
/** A person answers, at the terminal or by `collab answer`. */
export const user = 'user';

/** @throws CollabError `usage` for a provider that cannot lead; `cli_missing` or `auth` where nobody can */
export async function chooseLead(question: LeadQuestion): Promise<LeadChoice> {
  const { lead, configured, environment } = question;
  if (lead === 'none') {
    throw new CollabError('usage', 'a run of phases needs a lead: none leads nothing', {
      hint: 'name one that can: --lead claude_code, or --lead caller inside Claude Code',
    });
  }
  if (lead !== 'auto') return askedFor(lead, environment.settings);
  if (insideClaudeCode(environment.env)) return { provider: caller, model: null, chosenBy: 'auto' };
  // `lead: none` in the configuration speaks of reviews; a run of phases has one.
  const named = configured === null || configured === 'none' ? [] : [configured];
  const found = await firstReady([claudeCode, ...named], environment);
  if ('refusals' in found) throw nobodyLeads(found.refusals);
  return found.choice;
}

type NotReady = Extract<Probe, { ready: false }>;

/** Of `provider[:model]`s the first that can lead here and now, or why none can. The caller always can. */
export async function firstReady(
  names: readonly string[],
  environment: ProviderEnvironment,
): Promise<{ readonly choice: LeadChoice } | { readonly refusals: readonly NotReady[] }> {
  const refusals: NotReady[] = [];
  for (const name of names) {
    if (name === caller) return { choice: { provider: caller, model: null, chosenBy: 'auto' } };
    const { provider: providerName, model } = parseProviderChoice(name);
    const provider = leading(await loadProvider(providerName, environment.settings));
    const probe = await provider.probe(environment);
    if (probe.ready) return { choice: { provider: provider.name, model, chosenBy: 'auto' } };
    refusals.push(probe);
  }
  return { refusals };
}

/**
 * The lead of a run that can do without one: null where nobody is to be asked. `none` says so; `auto` takes the caller
 * inside Claude Code and otherwise nobody, because a lead costs calls that nobody has asked for.
 *
 * @throws CollabError `usage` for a provider that cannot lead
 */
export async function chooseOptionalLead(
  question: Pick<LeadQuestion, 'lead'> &
    Pick<ProviderEnvironment, 'env'> &
    Partial<Pick<ProviderEnvironment, 'settings'>>,
): Promise<LeadChoice | null> {
  if (question.lead === 'none') return null;
  if (question.lead !== 'auto') return askedFor(question.lead, question.settings ?? {});
  return insideClaudeCode(question.env) ? { provider: caller, model: null, chosenBy: 'auto' } : null;
}

/** Claude Code sets it for every command that it runs. */
export function insideClaudeCode(env: ProviderEnvironment['env']): boolean {
  const value = env['CLAUDECODE'];
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}

export const claudeCode = 'claude_code';

async function askedFor(name: string, settings: ProviderEnvironment['settings']): Promise<LeadChoice> {
  if (name === caller) return { provider: caller, model: null, chosenBy: 'asked' };
  const { provider: providerName, model } = parseProviderChoice(name);
  const provider = leading(await loadProvider(providerName, settings));
  return { provider: provider.name, model, chosenBy: 'asked' };
}

function leading(provider: Provider): Provider {
  const opens = provider.openLead !== undefined || provider.openModel !== undefined;
  if (opens && provider.roles.includes('lead')) return provider;
  throw new CollabError('usage', `${provider.name} cannot lead`, {
    hint: 'name one that can: --lead claude_code, or --lead caller inside Claude Code',
  });
}

function nobodyLeads([first]: readonly NotReady[]): CollabError {
  const why = first === undefined ? '' : `: ${first.message}`;
  return new CollabError(first?.code ?? 'cli_missing', `no lead is available${why}`, {
    hint: [
      first?.hint ?? 'install Claude Code and log in: npm install -g @anthropic-ai/claude-code',
      'or name one with --lead <provider>, or lead: in collab.config.yaml',
      'or call collab from inside Claude Code, which then leads itself',
    ].join('; '),
  });
}
