/** The agents that can work on the server's machine. Looking for them starts no model turn and costs nothing. */
import type { Speaker } from '../../access/speaker.ts';
import { may, type Deed } from '../../access/permissions.ts';
import type { ProviderEnvironment, Role } from '../../providers/contract/contract.ts';
import { loadProvider, providerNames } from '../../providers/contract/registry.ts';
import type { Clock } from '../../system/clock.ts';

export interface ProbedAgent {
  readonly provider: string;
  readonly roles: readonly Role[];
  readonly ready: boolean;
  /** Its version, or the reason why it is not ready; null if there is neither. */
  readonly detail: string | null;
  /** How to make it ready; null if it is. */
  readonly hint: string | null;
}

/** A script is named by its file, which no list has. */
const unlisted = 'rehearsal';

/** Probes every shipped provider, as the start of a run and `collab doctor` do. */
export async function probeAgents(environment: ProviderEnvironment): Promise<readonly ProbedAgent[]> {
  // Providers keep facts for the next run by the identity of `env`: a run must not find those of a list.
  const own: ProviderEnvironment = { ...environment, env: { ...environment.env } };
  return Promise.all(providerNames.filter((name) => name !== unlisted).map((name) => probeAgent(name, own)));
}

async function probeAgent(name: string, environment: ProviderEnvironment): Promise<ProbedAgent> {
  const provider = await loadProvider(name);
  const { roles } = provider;
  const probe = await provider.probe(environment);
  if (probe.ready) return { provider: name, roles, ready: true, detail: probe.version, hint: null };
  const { message, hint } = probe;
  return { provider: name, roles, ready: false, detail: message, hint: hint === '' ? null : hint };
}

/** Returns the agents that the speaker may choose, each with the roles that it may have. */
export function agentsFor(speaker: Speaker, states: readonly ProbedAgent[]): readonly ProbedAgent[] {
  return states.flatMap((state) => {
    const roles = state.roles.filter(
      (role) => may(speaker, { does: choiceOf[role], what: state.provider }).allowed,
    );
    return roles.length === 0 ? [] : [{ ...state, roles }];
  });
}

const choiceOf: Readonly<Record<Role, Deed>> = { lead: 'choose the lead', advisor: 'choose the advisor' };

/** Returns a list of agents that is looked for once for all requests of that time. A failure is not kept. */
export function keepFor(
  keptMs: number,
  clock: Clock,
  look: () => Promise<readonly ProbedAgent[]>,
): () => Promise<readonly ProbedAgent[]> {
  let kept: { readonly at: number; readonly states: Promise<readonly ProbedAgent[]> } | null = null;
  return async () => {
    if (kept === null || clock.now() - kept.at >= keptMs) kept = { at: clock.now(), states: look() };
    const { states } = kept;
    try {
      return await states;
    } catch (error) {
      if (kept?.states === states) kept = null;
      throw error;
    }
  };
}
