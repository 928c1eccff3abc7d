/** Turns a request into a run that can be driven: its folder exists and holds the input, and its conversation lists it. */
import { toolAction } from '../../access/actions.ts';
import { requireMay } from '../../access/require.ts';
import { guestOf, type Speaker } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import type { Clock } from '../../system/clock.ts';
import { newMessageId } from '../../providers/history/history.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { newRunId } from '../../runs/folder/run-folder.ts';
import type { TurnLead } from '../../runs/conversation/drive-turn.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { titleOf } from '../../text/title-of.ts';
import { subjectOfStart } from './run-subject.ts';
import { titleOfStart } from './title-of-start.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { writeTurnInput } from '../../runs/conversation/turn-input.ts';
import { findCommand } from '../../tools/commands/find-command.ts';
import { readSlashLine } from '../../tools/commands/slash-line.ts';
import type { ConversationPlace, Conversations, ServedRun } from '../conversations/conversations.ts';
import { conversationFolder, runFolderOf } from '../conversations/run-places.ts';
import type { RunPorts, StartCall } from './run-ports.ts';
import type { RunRequest, WantedRun } from '../routes/run-request.ts';
import { keepFiles } from '../conversations/keep-files.ts';

export interface PrepareRunOptions {
  readonly conversations: Conversations;
  readonly ports: RunPorts;
  readonly clock: Clock;
  readonly cwd: string;
}

export interface PreparedRun extends FreshRun {
  readonly run: ServedRun;
}

/** The parts of a run that only the process that started it holds. */
export interface FreshRun {
  /** The lead that answers a turn; null for a protocol run, which opens its own. */
  readonly lead: TurnLead | null;
  /** The protocol run with its input and change; null for a turn. */
  readonly opened: OpenedRun | null;
}

/** Only for the holder of the conversation's lock. @throws CollabError */
export async function prepareRun(
  place: ConversationPlace,
  asked: RunRequest,
  options: Starting,
): Promise<PreparedRun> {
  const { wanted } = asked;
  const request = { ...asked, title: titleOf(masked(asked.title)) };
  switch (wanted.kind) {
    case 'refused':
      throw new CollabError('usage', wanted.message);
    case 'line':
      return protocolRun(place, request, { ...options, request: options.ports.readLine(wanted.words) });
    case 'start':
      return protocolRun(place, request, { ...options, request: wanted.request });
    case 'turn':
      return prepareTurn(place, request, { ...options, wanted });
  }
}

interface Starting extends PrepareRunOptions {
  readonly signal: AbortSignal;
}

/** @throws CollabError `usage` */
export function refuseFiles({ files }: Pick<RunRequest, 'files'>): void {
  if (files.length > 0) throw new CollabError('usage', 'A command cannot have files, only a message can');
}

export function startCallOf(
  { home, tenant, id: conversation }: ConversationPlace,
  { speaker, token, skills }: RunRequest,
  start: Pick<StartCall, 'request' | 'signal'>,
): StartCall {
  return { ...start, speaker, home, skills, owner: { tenant, conversation, token } };
}

async function protocolRun(
  place: ConversationPlace,
  asked: RunRequest,
  { conversations, ports, signal, request }: Starting & { readonly request: StartRequest },
): Promise<PreparedRun> {
  refuseFiles(asked);
  const { speaker, token, title } = asked;
  const opened = await ports.startRun(startCallOf(place, asked, { request, signal }));
  const { runId, input } = opened;
  // A command that was typed is its own title.
  const isTyped = title !== titleOf(masked(titleOfStart(request)));
  const subject = isTyped ? null : subjectOfStart(request);
  const run = { run_id: runId, kind: input.kind, title, subject, state: 'running', starts: 1 } as const;
  return {
    run: record(conversations, place, { ...run, token, grants: grantsOf(speaker) }),
    lead: null,
    opened,
  };
}

async function prepareTurn(
  place: ConversationPlace,
  { speaker, token, title, skills, tokens, files }: RunRequest,
  {
    conversations,
    ports,
    clock,
    cwd,
    signal,
    wanted,
  }: Starting & {
    readonly wanted: Extract<WantedRun, { kind: 'turn' }>;
  },
): Promise<PreparedRun> {
  const lead = await ports.openLead({
    speaker,
    home: place.home,
    folder: conversationFolder(place),
    skills,
    tokens,
    past: [],
    signal,
  });
  try {
    if (wanted.does === 'tool') refuseUnknown(wanted.text, lead, speaker);
    signal.throwIfAborted();
    const run: ServedRun = {
      run_id: newRunId(clock),
      kind: 'turn',
      title,
      subject: null,
      state: 'running',
      starts: 1,
      token,
      grants: grantsOf(speaker),
    };
    const folder = runFolderOf(place, run);
    const titled = conversations.read(place)?.title ?? null;
    makeFolder(folder);
    writeTurnInput(folder, {
      schema: 'collab.turn/v1',
      kind: 'turn',
      started_at: timestampOf(clock),
      cwd,
      does: wanted.does,
      text: masked(wanted.text),
      message_id: newMessageId(Math.random),
      attachments: [...keepFiles(folder, files)],
      title: titled === null ? title : null,
      skills: [...skills],
    });
    return { run: record(conversations, place, run), lead, opened: null };
  } catch (error) {
    await lead.answerer.close();
    throw error;
  }
}

/** Refuses a tool that the tenant was not granted, before any of the turn is written. */
function refuseUnknown(typed: string, { tools, withheld = [] }: TurnLead, speaker: Speaker): void {
  const line = readSlashLine(typed);
  if (line.kind === 'text') return;
  const found = findCommand(line.name, [...protocol, ...tools.tools, ...withheld]);
  if (!found.ok) throw new CollabError('usage', found.why);
  const { name } = found.command;
  if (withheld.some((tool) => tool.name === name)) requireMay(speaker, toolAction(name), `/${name}`);
}

/** Included so that a misspelled command gets them as suggestions. */
const protocol = [{ name: 'review' }, { name: 'run' }, { name: 'consult' }];

/** Stores the tenant's grants with the run, so that a later server continues it with the same ones. */
function grantsOf(speaker: Speaker): string[] {
  return [...(guestOf(speaker)?.grants ?? [])];
}

function record(conversations: Conversations, place: ConversationPlace, run: ServedRun): ServedRun {
  conversations.change(place, (before) => ({ ...before, runs: [...before.runs, run] }));
  return run;
}
