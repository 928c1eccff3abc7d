/** `rehearsal`: an agent that plays a YAML script (`script.ts` says what may stand in it). No model, no network. */
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { systemClock, type Clock } from '../../process/clock.ts';
import type { AdvisorProvider, Agent, OpenOptions, TurnRequest, TurnResult } from '../contract.ts';
import { chooseTurn } from './choose-turn.ts';
import { createPace } from './pace.ts';
import { createPlayedTurns, type PlayedTurns } from './played-turns.ts';
import { playTurn } from './play-turn.ts';
import { readScript, type LoadedScript } from './read-script.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';

export const rehearsalProvider: AdvisorProvider = createRehearsalProvider({ clock: systemClock });

/** The clock sleeps through the script's delays. */
export function createRehearsalProvider({
  clock,
}: {
  readonly clock: Pick<Clock, 'sleep'>;
}): AdvisorProvider {
  return {
    name: 'rehearsal',
    roles: ['lead', 'advisor'],
    authMode: 'none',
    assurance: 'none',
    promptLimit: null,
    probe: async () => ({ ready: true, version: null, login: null, model: null }),
    open: (options) => openRehearsal(options, clock),
  };
}

/** The script's path is the "model" of `rehearsal:<script.yaml>`. @throws CollabError `options` for a faulty script */
async function openRehearsal(options: OpenOptions, clock: Pick<Clock, 'sleep'>): Promise<Agent> {
  if (options.model === null) {
    throw new CollabError('options', 'rehearsal has no script', {
      hint: 'Name one: --advisor rehearsal:<script.yaml>',
    });
  }
  const loaded = await readScript(resolve(options.cwd, options.model));
  const sessions = createSessionStore(options.stateFolder);
  const stage: Stage = { loaded, options, clock, sessions, played: createPlayedTurns(options.stateFolder) };
  return {
    identity: {
      provider: 'rehearsal',
      displayName: loaded.script.agent.name,
      version: null,
      model: loaded.script.agent.model ?? null,
      login: null,
      destination: null,
      remarks: [`a rehearsal of ${options.model}, no model answers`],
    },
    turn: (call) => perform(stage, call),
    harvest: async (sessionId, callId) => sessions.harvest(sessionId, callId),
    close: async () => {},
  };
}

interface Stage {
  readonly loaded: LoadedScript;
  readonly options: OpenOptions;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly sessions: SessionStore;
  readonly played: PlayedTurns;
}

async function perform(stage: Stage, call: TurnRequest): Promise<TurnResult> {
  call.signal.throwIfAborted();
  const { turns } = stage.loaded.script;
  const index = chooseTurn(turns, stage.played, call);
  const turn = turns[index];
  if (turn === undefined) return outOfTurns(call);
  const release = stage.played.take(index);
  try {
    note(stage, `begin ${call.callId}`);
    const result = await playTurn({ ...(await enter(stage, call)), turn });
    release('played');
    note(stage, `end ${call.callId}`);
    return result;
  } catch (error) {
    release('aborted');
    throw error;
  }
}

/** Opens or takes up the session and has it recorded before anything is said. */
async function enter({ loaded, options, clock, sessions }: Stage, call: TurnRequest) {
  const { agent } = loaded.script;
  const sessionId = call.sessionId ?? sessions.open(agent.session_id);
  await call.bind(sessionId);
  call.signal.throwIfAborted();
  call.emit({ type: 'session.bound', provider_session_id: sessionId, resumable: true });
  const pace = createPace(options.limits, clock, call.signal);
  return { call, sessionId, sessions, pace, model: agent.model ?? 'rehearsal' };
}

function note({ loaded }: Stage, line: string): void {
  const log = loaded.script.call_log;
  if (log !== undefined) appendFileSync(resolve(loaded.folder, log), `${line}\n`);
}

function outOfTurns({ request, callId }: TurnRequest): TurnResult {
  return {
    kind: 'unavailable',
    code: 'options',
    message: `the rehearsal script has no turn left for ${request.tag} (call ${callId})`,
    hint: 'Add a turn to the script, or `repeat: forever` to its last one.',
  };
}
