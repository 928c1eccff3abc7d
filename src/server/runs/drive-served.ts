/** Drives a run of a server from here on, by the driver of its kind, and says how it left. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { driveRunFolder } from '../../runs/drive-by-kind.ts';
import type { Departure } from '../../engine/types.ts';
import { recordsSoFar } from '../../engine/journal/recorded-events.ts';
import { driveTurn, type TurnLead } from '../../runs/conversation/drive-turn.ts';
import { readTurnInput } from '../../runs/conversation/turn-input.ts';
import type { ConversationPlace, ServedRun } from '../conversations/conversations.ts';
import { conversationFolder, runFolderOf } from '../conversations/run-places.ts';
import type { RunPorts } from './run-ports.ts';

export interface DriveServedOptions {
  readonly ports: RunPorts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Of a turn; null for none. */
  readonly turnLimitMs: number | null;
  /** Of the conversation, where it has none yet. */
  readonly title: string | null;
  /** Null: opened here where the run needs one. */
  readonly lead: TurnLead | null;
  readonly signal: AbortSignal;
  readonly onEvent: (event: CollabEvent) => void;
}

export async function driveServed(
  place: ConversationPlace,
  run: ServedRun,
  { lead, title, ...options }: DriveServedOptions,
): Promise<Departure<unknown>> {
  const { env, clock, signal, onEvent, ports, turnLimitMs } = options;
  const common = {
    runFolder: runFolderOf(place, run),
    runId: run.run_id,
    env,
    clock,
    signal,
    onEvent,
    where: { conversationId: place.id, tenantId: place.tenant },
  };
  if (run.kind !== 'turn') return driveRunFolder({ ...common, ...(title === null ? {} : { title }) });
  const input = readTurnInput(common.runFolder);
  const { skills } = input;
  const conversation = conversationFolder(place);
  return driveTurn({
    ...common,
    input,
    conversation,
    // The user's secrets are written nowhere: after a restart there are none.
    lead:
      lead ??
      (await ports.openLead({
        home: place.home,
        folder: conversation,
        skills,
        tokens: {},
        past: recordsSoFar(common.runFolder),
        signal,
      })),
    limitMs: turnLimitMs,
  });
}
