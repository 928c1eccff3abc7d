/** Holds the shared state of one role's calls while its script is played, and plays each of them. */
import { resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { placeOfUser } from '../../system/files/write-named.ts';
import { appendLine } from '../../system/files/write.ts';
import type { Clock } from '../../system/clock.ts';
import type { HandedTools, OpenOptions, TurnCall, TurnResult } from '../contract/contract.ts';
import { chooseTurn } from './choose-turn.ts';
import type { EditPlace } from './make-edits.ts';
import { createPace } from './pace.ts';
import { createPlayedTurns, type PlayedTurns } from './played-turns.ts';
import { playTurn } from './play-turn.ts';
import { readScript, type LoadedScript } from './read-script.ts';
import type { ScriptedIdentity } from './script.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import type { Situation } from './situation.ts';

export type StageOptions = Pick<OpenOptions, 'model' | 'cwd' | 'stateFolder' | 'limits'>;

export interface Stage {
  readonly loaded: LoadedScript;
  readonly options: StageOptions;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly sessions: SessionStore;
  readonly played: PlayedTurns;
  readonly actor: ScriptedIdentity;
}

/**
 * Prepares the stage. The script's path is the "model" of `rehearsal:<script.yaml>`. @throws CollabError `options` for a
 * faulty script
 */
export async function setStage(
  options: StageOptions,
  clock: Pick<Clock, 'sleep'>,
  actorOf: (script: LoadedScript['script']) => ScriptedIdentity,
): Promise<Stage> {
  if (options.model === null) {
    throw new CollabError('options', 'rehearsal has no script', {
      hint: 'Name one: rehearsal:<script.yaml>',
    });
  }
  const loaded = await readScript(resolve(options.cwd, options.model));
  return {
    loaded,
    options,
    clock,
    sessions: createSessionStore(options.stateFolder),
    played: createPlayedTurns(options.stateFolder),
    actor: actorOf(loaded.script),
  };
}

export interface Cue {
  readonly situation: Situation;
  readonly place: EditPlace;
  readonly tools?: HandedTools | undefined;
}

export async function performScriptedCall(
  stage: Stage,
  call: TurnCall,
  { situation, place, tools }: Cue,
): Promise<TurnResult> {
  call.signal.throwIfAborted();
  if (call.sessionId !== null && !stage.sessions.has(call.sessionId)) return sessionGone;
  const { turns } = stage.loaded.script;
  const index = chooseTurn(turns, stage.played, situation);
  const turn = turns[index];
  if (turn === undefined) return outOfTurns(call, situation);
  const release = stage.played.take(index);
  try {
    const entered = await enter(stage, call);
    note(stage, `begin ${call.callId}`);
    const result = await playTurn({ ...entered, turn, place, tools: tools ?? null });
    release('played');
    note(stage, `end ${call.callId}`);
    return result;
  } catch (error) {
    release('aborted');
    throw error;
  }
}

/** The result of a real agent whose session records were removed: nothing was sent. */
const sessionGone: TurnResult = {
  kind: 'cut',
  message: 'the session is gone',
  sessionId: null,
  uncounted: false,
};

/** Opens or resumes the session and has it recorded before the call begins, as a real agent does before it sends one. */
async function enter({ actor, options, clock, sessions }: Stage, call: TurnCall) {
  const sessionId = call.sessionId ?? sessions.open(actor.session_id);
  await call.bind(sessionId);
  call.signal.throwIfAborted();
  call.emit({ type: 'session.bound', provider_session_id: sessionId, resumable: true });
  const pace = createPace(call.limits ?? options.limits, clock, call.signal);
  return { call, sessionId, sessions, pace, model: actor.model ?? 'rehearsal' };
}

function note({ loaded }: Stage, line: string): void {
  const log = loaded.script.call_log;
  if (log !== undefined) appendLine(placeOfUser(resolve(loaded.folder, log)), line);
}

function outOfTurns({ callId }: TurnCall, { tag, work, phase, round }: Situation): TurnResult {
  const what = tag ?? `the lead: ${work} of ${phase}, round ${round}`;
  return {
    kind: 'unavailable',
    code: 'options',
    message: `the rehearsal script has no turn left for ${what} (call ${callId})`,
    hint: 'Add a turn to the script, or `repeat: forever` to its last one.',
  };
}
