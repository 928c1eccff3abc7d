/** `rehearsal`: an agent that plays a YAML script (`script.ts` describes its format). No model, no network. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { systemClock, type Clock } from '../../system/clock.ts';
import type {
  AdvisorProvider,
  Agent,
  AgentIdentity,
  LeadAgent,
  LeadOptions,
  LeadProvider,
  OpenOptions,
  PromptAgent,
} from '../contract/contract.ts';
import { AgentClient, promptAgentOf } from '../client/agent-client.ts';
import type { Profile } from '../profiles/profile.ts';
import type { EditPlace } from './make-edits.ts';
import { readScript } from './read-script.ts';
import { advisorSituation, leadSituation } from './situation.ts';
import { roleOf } from './when.ts';
import { performScriptedCall, setStage, type Stage, type StageOptions } from './stage.ts';

export type RehearsalProvider = AdvisorProvider & LeadProvider;

export const rehearsalProvider: RehearsalProvider = createRehearsalProvider({ clock: systemClock });

/** Specification 003's client for the same provider: the script's path is the model. */
export class RehearsalClient extends AgentClient {
  static override readonly authMode = 'none';
  static override readonly abilities = { history: 'told', tools: 'none', requests: 'own' } as const;

  static override getProviderName(): string {
    return 'rehearsal';
  }

  /** Returns the one profile for all scripts. */
  override profileOf(): Profile | null {
    return super.profileOf('script');
  }

  protected async openAgent(options: LeadOptions): Promise<PromptAgent> {
    return promptAgentOf(await rehearsalProvider.openLead(options));
  }
}

/** Creates the provider. The clock sleeps through the script's delays. */
export function createRehearsalProvider({
  clock,
}: {
  readonly clock: Pick<Clock, 'sleep'>;
}): RehearsalProvider {
  return {
    name: 'rehearsal',
    roles: ['lead', 'advisor'],
    authMode: 'none',
    assurance: 'none',
    promptLimit: null,
    probe: async () => ({ ready: true, version: null, login: null, model: null }),
    verifies: async (script, { cwd }) => hasVerdicts(script, cwd),
    price: async (script, { cwd }) => ((await tellsPrices(script, cwd)) ? 'told_after' : null),
    open: (options) => openAdvisor(options, clock),
    openLead: (options) => openLead(options, clock),
  };
}

/** Returns true if every answer of the script has a cost. */
async function tellsPrices(script: string | null, cwd: string): Promise<boolean> {
  if (script === null) return false;
  const { turns } = (await readScript(resolve(cwd, script))).script;
  return turns.every(({ fault, usage }) => fault !== undefined || usage?.cost !== undefined);
}

/** Returns false for a faulty script: opening the agent reports it. */
async function hasVerdicts(script: string | null, cwd: string): Promise<boolean> {
  if (script === null) return false;
  const loaded = await readScript(resolve(cwd, script)).catch(() => null);
  const turns = loaded?.script.turns ?? [];
  return turns.some(({ when }) => when.work === 'verify' && roleOf(when) === 'advisor');
}

async function openAdvisor(options: OpenOptions, clock: Pick<Clock, 'sleep'>): Promise<Agent> {
  const stage = await setStage(options, clock, ({ agent }) => agent);
  const place: EditPlace = { access: 'read', folder: null };
  return {
    ...common(stage),
    turn: (call) => performScriptedCall(stage, call, { situation: advisorSituation(call), place }),
  };
}

/** Opens a lead with its own sessions and played turns, even if one script is played for both roles. */
async function openLead(options: StageOptions, clock: Pick<Clock, 'sleep'>): Promise<LeadAgent> {
  const own = { ...options, stateFolder: join(options.stateFolder, 'lead') };
  const stage = await setStage(own, clock, ({ agent, lead }) => lead ?? agent);
  return {
    ...common(stage),
    edits: true,
    turn(call) {
      return performScriptedCall(stage, call, {
        situation: leadSituation(call),
        place: call.work,
        tools: call.tools,
      });
    },
  };
}

function common({ actor, loaded, sessions }: Stage): Pick<Agent, 'identity' | 'harvest' | 'close'> {
  const identity: AgentIdentity = {
    provider: 'rehearsal',
    displayName: actor.name,
    version: null,
    model: actor.model ?? null,
    edition: createHash('sha256').update(JSON.stringify(loaded.script)).digest('hex'),
    login: null,
    destination: null,
    remarks: [`a rehearsal of ${loaded.name}, no model answers`],
  };
  return {
    identity,
    harvest: async (sessionId, callId) => sessions.harvest(sessionId, callId),
    close: async () => {},
  };
}
