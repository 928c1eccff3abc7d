/** The ports of a server: the reader of command lines, which is above it, and the makers of runs and leads, which a test replaces. */
import type { Speaker } from '../../access/speaker.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import type { ConversationFolder } from '../../runs/conversation/store.ts';
import type { RunOwner } from '../../runs/engine/engine.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import type { TurnLead } from '../../runs/conversation/drive-turn.ts';
import type { ProbedAgent } from './probed-agents.ts';

export interface StartCall {
  readonly speaker: Speaker;
  /** The home of the tenant's runs. */
  readonly home: string;
  readonly request: StartRequest;
  /** Names of skills; a run that uses a skill takes the first. */
  readonly skills: readonly string[];
  readonly signal: AbortSignal;
  /** Travels with a run that is submitted to workers. */
  readonly owner: RunOwner;
}

export interface LeadCall extends Omit<StartCall, 'request' | 'owner'> {
  readonly folder: ConversationFolder;
  /** The user's secrets by name, for tools only; never written or printed. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The events of this turn in an earlier server; they count toward the budget. */
  readonly past: readonly CollabEvent[];
}

export interface RunPorts {
  /** Reads the words of a command line, as typed after `collab`. @throws CollabError `usage` for one that starts no run */
  readLine(words: readonly string[]): StartRequest;
  /** Starts a protocol run without driving it. @throws CollabError as `startRequested` */
  startRun(call: StartCall): Promise<OpenedRun>;
  /** Opens the lead that answers a plain message. The caller closes it. @throws CollabError as `collab chat` */
  openLead(call: LeadCall): Promise<TurnLead>;
  /** Finds out which agents can work here, with the settings of the server. Starts no model turn. */
  probeAgents(signal: AbortSignal): Promise<readonly ProbedAgent[]>;
}
