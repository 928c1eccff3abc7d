/** Drives a server's run from here on with the driver of its kind, and returns how it stopped. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { continueRun } from '../../runs/continue-run.ts';
import type { Departure } from '../../engine/port.ts';
import { recordsSoFar, type RecordedEvents } from '../../engine/journal/recorded-events.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { driveTurn, type TurnLead } from '../../runs/conversation/drive-turn.ts';
import { readTurnInput } from '../../runs/conversation/turn-input.ts';
import type { ConversationPlace, ServedRun } from '../conversations/conversations.ts';
import { conversationFolder, runFolderOf } from '../conversations/run-places.ts';
import { speakerOf } from '../access/access-token.ts';
import type { RunPorts } from './run-ports.ts';

export interface DriveServedOptions {
  readonly ports: RunPorts;
  /** The agents that the server itself chose, which guests may name. */
  readonly providers: readonly string[];
  /** True if the server also takes requests without a token. */
  readonly isServerOpen: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The limit of a turn (X002-13); null for none. */
  readonly turnLimitMs: number | null;
  /** A title for the conversation, if it has none yet. */
  readonly title: string | null;
  /** If null, opened here when the run needs one. */
  readonly lead: TurnLead | null;
  /** If null, read here when the run has one. */
  readonly opened: OpenedRun | null;
  readonly signal: AbortSignal;
  readonly recorded: RecordedEvents;
  readonly onEvent: (event: CollabEvent) => void;
}

export async function driveServed(
  place: ConversationPlace,
  run: ServedRun,
  { lead, opened, title, ...options }: DriveServedOptions,
): Promise<Departure<unknown>> {
  const { env, clock, signal, recorded, onEvent, ports, providers, isServerOpen, turnLimitMs } = options;
  const common = {
    runFolder: runFolderOf(place, run),
    runId: run.run_id,
    env,
    clock,
    signal,
    recorded,
    onEvent,
    where: { conversationId: place.id, tenantId: place.tenant },
  };
  if (run.kind !== 'turn') {
    const known = { ...(title === null ? {} : { title }), ...(opened === null ? {} : { opened }) };
    return continueRun({ ...common, ...known });
  }
  const input = readTurnInput(common.runFolder);
  const { skills } = input;
  const conversation = conversationFolder(place);
  return driveTurn({
    ...common,
    input,
    conversation,
    // The user's secrets are never stored, so there are none after a restart.
    lead:
      lead ??
      (await ports.openLead({
        speaker: speakerOf({ tenant: place.tenant, grants: run.grants, providers, isServerOpen }),
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
