/**
 * Chooses the lead. `auto` takes the caller inside Claude Code, then a logged-in Claude Code, then the provider in the
 * configuration. A plain review needs no lead: there `auto` takes the caller or none.
 */
import { howToInstallClaude } from '../../providers/claude_code/package-of-claude.ts';
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
  /** The configuration's lead, which `auto` tries after Claude Code; null if the configuration names none. */
  readonly configured: string | null;
  readonly environment: ProviderEnvironment;
}

/** The caller leads: its turns and answers arrive through `collab answer`. */
export const caller = 'caller';
/** The user answers, at the terminal or through `collab answer`. */
export const user = 'user';

/** @throws CollabError `usage` for a provider that cannot lead; `cli_missing` or `auth` if no lead is available */
export async function chooseLead(question: LeadQuestion): Promise<LeadChoice> {
  const { lead, configured, environment } = question;
  if (lead === 'none') {
    throw new CollabError('usage', 'a run of phases needs a lead, not "none"', {
      hint: 'use --lead claude_code, or --lead caller inside Claude Code',
    });
  }
  if (lead !== 'auto') return askedFor(lead, environment.settings);
  if (insideClaudeCode(environment.env)) return { provider: caller, model: null, chosenBy: 'auto' };
  // `lead: none` in the configuration applies to reviews; a run with phases has a lead.
  const named = configured === null || configured === 'none' ? [] : [configured];
  const found = await firstReady([claudeCode, ...named], environment);
  if ('refusals' in found) throw nobodyLeads(found.refusals);
  return found.choice;
}

type NotReady = Extract<Probe, { ready: false }>;

/** Returns the first of these `provider[:model]` names that can lead now, or why none can. The caller always can. */
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
 * Returns the lead of a run for which a lead is optional; null for none. `none` chooses none; `auto` takes the caller
 * inside Claude Code and otherwise none, because a lead makes calls that the user did not request.
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

/** Claude Code sets this variable for every command that it runs. */
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
    hint: 'use --lead claude_code, or --lead caller inside Claude Code',
  });
}

function nobodyLeads([first]: readonly NotReady[]): CollabError {
  const why = first === undefined ? '' : `: ${first.message}`;
  return new CollabError(first?.code ?? 'cli_missing', `no lead is available${why}`, {
    hint: [
      first?.hint ?? `install Claude Code and log in: ${howToInstallClaude().command}`,
      'or name one with --lead <provider>, or lead: in collab.config.yaml',
      'or call collab from inside Claude Code, which then leads itself',
    ].join('; '),
  });
}
