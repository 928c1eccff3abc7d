/** The ports to the layer above the server, which has the command line and the configuration. */
import type { Speaker } from '../../access/speaker.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import type { ConversationFolder } from '../../runs/conversation/store.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { TurnLead } from '../../runs/conversation/drive-turn.ts';

export interface CommandCall {
  readonly speaker: Speaker;
  /** The home of the tenant's runs. */
  readonly home: string;
  /** The arguments as typed after `collab`. */
  readonly args: readonly string[];
  /** The command's text in place of standard input; null if it reads none. */
  readonly text: string | null;
  /** Names of skills; a command that uses a skill takes the first. */
  readonly skills: readonly string[];
  readonly signal: AbortSignal;
}

export interface LeadCall {
  readonly speaker: Speaker;
  readonly home: string;
  readonly folder: ConversationFolder;
  /** Names of skills that the lead gets. */
  readonly skills: readonly string[];
  /** The user's secrets by name, for tools only; never written or printed. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The events of this turn in an earlier server; they count toward the budget. */
  readonly past: readonly CollabEvent[];
  /** Stops the lead. */
  readonly signal: AbortSignal;
}

export interface RunPorts {
  /** Creates a protocol run as the command would, without driving it. @throws CollabError as the command */
  prepareCommand(call: CommandCall): Promise<RunFolder>;
  /** Opens the lead that answers a plain message. The caller closes it. @throws CollabError as `collab chat` */
  openLead(call: LeadCall): Promise<TurnLead>;
}
