/** What the server needs of the floor above it, which knows the command line and the configuration. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { ConversationFolder } from '../../runs/conversation/store.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { TurnLead } from '../../runs/conversation/drive-turn.ts';

export interface CommandCall {
  /** Of the runs of the tenant. */
  readonly home: string;
  /** As they would be typed after `collab`. */
  readonly args: readonly string[];
  /** What the command reads in place of standard input; null where it reads none. */
  readonly text: string | null;
  /** Names of skills, of which a command that goes by one takes the first. */
  readonly skills: readonly string[];
  readonly signal: AbortSignal;
}

export interface LeadCall {
  readonly home: string;
  readonly folder: ConversationFolder;
  /** Names of skills that the lead is told of. */
  readonly skills: readonly string[];
  /** Secrets of the user, by name: for tools, and in nothing that is written or said. */
  readonly tokens: Readonly<Record<string, string>>;
  /** What happened in this turn until now, in a server before this one: it counts for the budget. */
  readonly past: readonly CollabEvent[];
  /** Ends what the lead does. */
  readonly signal: AbortSignal;
}

export interface RunPorts {
  /** Begins a run of the protocol as a command would, and drives nothing. @throws CollabError as the command */
  prepareCommand(call: CommandCall): Promise<RunFolder>;
  /** Opens the one who answers a plain message. The caller closes it. @throws CollabError as `collab chat` */
  openLead(call: LeadCall): Promise<TurnLead>;
}
