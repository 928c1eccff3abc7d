/** Runs a conversation from its first input to its last: a command, a tool's command, or a message each. */
import { CollabError, isRefusal } from '../../errors/collab-error.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { ConversationAnswerer } from '../../runs/conversation/answerer.ts';
import {
  findConversation,
  listConversations,
  readConversation,
  type ConversationFolder,
} from '../../runs/conversation/store.ts';
import type { OpenConversation } from '../../runs/conversation/conversation.ts';
import type { AnswerOutcome } from '../../runs/conversation/dialogue.ts';
import { findCommand } from '../../tools/commands/find-command.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { readSlashLine } from '../../tools/commands/slash-line.ts';
import { slashUsage } from '../../tools/commands/slash-usage.ts';
import { cutToWidth, wrapToWidth } from '../../text/display-width.ts';
import { neutralise } from '../../text/neutralise.ts';
import { chatCommands, NotLikeThat, type ChatHands, type CommandOutcome } from './chat-commands.ts';
import type { ChatInput } from './chat-input.ts';
import type { ChatScreen } from './chat-screen.ts';
import type { CollabHands } from './inner-commands.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import type { InnerCommand } from './run-inner-command.ts';
import type { Session } from '../session.ts';

/** The keys of the terminal while the lead answers. */
export interface AnswerKeys {
  /** Esc and Ctrl-C call `stop` until `end`. */
  watch(stop: () => void): void;
  end(): void;
}

export interface OpenTalk {
  readonly conversation: OpenConversation;
  readonly identity: AgentIdentity;
  readonly resumed: boolean;
  /** The events before this opening. */
  readonly past: readonly CollabEvent[];
  readonly openModel: (model: string) => Promise<ConversationAnswerer>;
  close(): Promise<void>;
}

export interface Talk extends OpenTalk {
  readonly session: Session;
  readonly input: ChatInput;
  readonly keys: AnswerKeys;
  readonly screen: ChatScreen;
  readonly hands: CollabHands;
  readonly tools: readonly Tool[];
  readonly home: string;
  readonly isAtTerminal: boolean;
  readonly json: boolean;
  readonly notes: readonly string[];
  /** Opens another conversation beside this one. @throws CollabError `locked` if another process holds it */
  readonly openOther: (folder: ConversationFolder) => Promise<OpenTalk>;
  /** @throws CollabError `usage` */
  readonly checkAdvisor: (name: string) => Promise<void>;
}

export type TalkEnd =
  | { readonly kind: 'left'; readonly code: number }
  /** The user continues in another conversation, which is open. */
  | { readonly kind: 'resumed'; readonly other: OpenTalk };

/** Runs the conversation until the user leaves it. */
export async function converse(talk: Talk): Promise<TalkEnd> {
  const { session, conversation, screen, input } = talk;
  introduce(talk);
  input.recall(inputsOf(conversation));
  screen.recall(talk.past);
  const next: Next = { other: null };
  const answer = createAnswer(talk, next);
  let last: CommandOutcome = 'done';
  for (
    let typed = await input.read(screen.status());
    typed !== null;
    typed = await input.read(screen.status())
  ) {
    if (typed.trim() === '') continue;
    last = await answer(typed);
    if (next.other !== null) return { kind: 'resumed', other: next.other };
    if (last === 'leave' || last === 'resume') break;
    screen.tell({
      type: 'chat.done',
      outcome: last,
      current_node: conversation.history().current_node,
    });
    if (session.signal.aborted) break;
  }
  const signal = session.endedBy();
  if (signal !== null) return { kind: 'left', code: exitCodeOfSignal(signal) };
  if (talk.isAtTerminal && conversation.history().current_node !== null) {
    session.err(`to continue: collab chat --resume ${conversation.id}\n`);
  }
  return { kind: 'left', code: last === 'failed' ? exitCodes.failed : exitCodes.passed };
}

/** The other conversation that a command has opened. */
interface Next {
  other: OpenTalk | null;
}

/** Newest first. */
function inputsOf(conversation: OpenConversation): readonly string[] {
  const said = Object.values(conversation.history().messages).filter(({ role }) => role === 'user');
  return said.map(({ content }) => content).toReversed();
}

function introduce({ session, conversation, screen, identity, resumed, notes, isAtTerminal }: Talk): void {
  const { provider, displayName, model, login, destination, remarks } = identity;
  screen.tell({ type: 'chat.opened', conversation_id: conversation.id, resumed, lead: provider, model });
  const parts = [
    `conversation with ${displayName}${model === null ? '' : ` (${model})`}${login === null ? '' : `, ${login}`}`,
    destination === null ? 'nothing leaves this machine' : `sent to ${destination}`,
    ...remarks,
    'its tools work in your own files',
    ...notes,
  ];
  const line = neutralise(parts.join('; '));
  const lines = isAtTerminal ? wrapToWidth(line, session.screen.columns) : [line];
  session.err(`${lines.join('\n')}\n`);
  if (isAtTerminal) {
    session.err('/help lists the commands, @ mentions a file; Esc stops an answer, Ctrl-D exits\n');
  }
}

/** Reads `{"text": "two\nlines"}`, or the line itself. */
export function readJsonInput(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string') {
      return value.text;
    }
  } catch {
    // The line is plain text.
  }
  return line;
}

function createAnswer(talk: Talk, next: Next): (typed: string) => Promise<CommandOutcome> {
  const { session, conversation, screen, tools, isAtTerminal, keys } = talk;

  return async (typed) => {
    const stop = new AbortController();
    const interrupt = (): void => stop.abort(new Error('stopped'));
    const release = isAtTerminal ? session.holdInterrupt(interrupt) : null;
    const signal = AbortSignal.any([session.signal, stop.signal]);
    try {
      return await perform(typed, signal, interrupt);
    } catch (error) {
      if (signal.aborted) return 'stopped';
      if (error instanceof NotLikeThat) screen.refuse(error.message, null);
      else if (error instanceof CollabError) screen.refuse(error.message, error.hint);
      else throw error;
      return error instanceof NotLikeThat || isRefusal(error.code) ? 'refused' : 'failed';
    } finally {
      release?.();
    }
  };

  async function perform(typed: string, signal: AbortSignal, interrupt: () => void): Promise<CommandOutcome> {
    const line = readSlashLine(typed);
    const shown = (work: () => Promise<AnswerOutcome>) => show(work, interrupt);
    if (line.kind === 'text') return shown(() => conversation.say(line.text, signal));
    const found = findCommand(line.name, [...chatCommands, ...tools]);
    if (!found.ok) throw new NotLikeThat(found.why);
    const { command } = found;
    if (!('says' in command)) return useTool(typed, signal);
    try {
      return await command.run(line.rest, handsOf(talk, { command: command.name, signal, shown, next }));
    } catch (error) {
      if (!(error instanceof NotLikeThat)) throw error;
      throw new NotLikeThat(`${error.message} Usage: ${command.usage}`, { cause: error });
    }
  }

  async function useTool(typed: string, signal: AbortSignal): Promise<CommandOutcome> {
    screen.begin('tool');
    const end = await conversation.useTool(typed, signal).finally(() => screen.end());
    if (end.kind === 'refused') throw new NotLikeThat(end.message);
    if (end.kind === 'ran') screen.print(typed, end.outcome.content);
    return 'done';
  }

  async function show(work: () => Promise<AnswerOutcome>, interrupt: () => void): Promise<CommandOutcome> {
    screen.begin('answer');
    keys.watch(interrupt);
    const end = await work().finally(() => {
      keys.end();
      screen.end();
    });
    if (end.kind === 'failed') screen.refuse(`no answer: ${end.message}`, end.hint ?? '/resend asks again');
    if (end.kind === 'stopped' && isAtTerminal) session.err('stopped\n');
    return end.kind;
  }
}

interface Doing {
  readonly command: string;
  readonly signal: AbortSignal;
  readonly shown: (work: () => Promise<AnswerOutcome>) => Promise<CommandOutcome>;
  readonly next: Next;
}

/** Maximum number of characters of a command's output that are sent to the lead, from its end. */
const toldCharacters = 32_768;

function handsOf(talk: Talk, { command, signal, shown, next }: Doing): ChatHands {
  const { session, conversation, screen, hands, tools, json } = talk;
  const { columns } = session.screen;

  async function told(typed: string, ran: Promise<InnerCommand>): Promise<CommandOutcome> {
    const { exitCode, printed } = await ran;
    if (json) screen.print(command, printed);
    if (printed.trim() !== '') {
      await conversation.tell(typed, printed.slice(-toldCharacters));
    }
    if (signal.aborted) return 'stopped';
    return exitCode === exitCodes.usage ? 'refused' : 'done';
  }

  return {
    history: () => conversation.history(),
    columns,
    print: (text) => screen.print(command, text),
    collab: (typed, words) => told(typed, hands.run(words, signal)),
    consult: (typed, question) => told(typed, hands.consult(question, signal)),
    resend: (messageId, text) => shown(() => conversation.resend(messageId, text, signal)),
    switchTo: (messageId) => conversation.switchTo(messageId),
    async resume(id) {
      const folder = id === null ? await pickOther(talk, signal) : findConversation(talk.home, id);
      if (folder === null) return false;
      if (folder.id === conversation.id) throw new NotLikeThat('This is that conversation.');
      next.other = await talk.openOther(folder);
      return true;
    },
    async chooseAdvisor(name) {
      if (name !== 'auto') await talk.checkAdvisor(name);
      hands.chooseAdvisor(name);
    },
    chooseModel: async (model) => conversation.replaceAnswerer(await talk.openModel(model)),
    chosen() {
      const { platform, model } = conversation.history();
      return { advisor: hands.advisor(), lead: model === '' ? platform : `${platform}:${model}` };
    },
    others: () => otherConversations(talk, columns),
    toolUsages: () =>
      tools.map((tool) => cutToWidth(slashUsage(tool, tool.aliases?.[0] ?? tool.name), columns)),
  };
}

/** Maximum number of other conversations in a list. */
const mostOthers = 10;

function otherConversations({ home, conversation }: Talk, columns: number): readonly string[] {
  const others = listConversations(home).filter(({ id }) => id !== conversation.id);
  const lines = others.slice(0, mostOthers).map((folder) => {
    const line = `collab chat --resume ${folder.id}  ${titleOf(folder)}`;
    return cutToWidth(line, columns);
  });
  return lines.length === 0 ? [] : ['', 'Other conversations:', ...lines];
}

/** Resolves with null if the user picked none. */
async function pickOther(
  { home, conversation, session, isAtTerminal }: Talk,
  signal: AbortSignal,
): Promise<ConversationFolder | null> {
  const others = listConversations(home).filter(({ id }) => id !== conversation.id);
  if (others.length === 0) throw new NotLikeThat('There is no other conversation.');
  if (!isAtTerminal) throw new NotLikeThat('Name the conversation; /history lists them.');
  const { pickConversation } = await import('./pick-conversation.ts');
  return pickConversation(
    others.map((folder) => ({ folder, title: titleOf(folder) })),
    { screen: session.screen, signal },
  );
}

function titleOf(folder: Parameters<typeof readConversation>[0]): string {
  try {
    return readConversation(folder).title;
  } catch (error) {
    return error instanceof CollabError ? '(corrupt)' : '';
  }
}
