/** Runs a conversation from its first input to its last: a command, a tool's command, or a message each. */
import { CollabError, isRefusal } from '../../errors/collab-error.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { ConversationAnswerer } from '../../runs/conversation/answerer.ts';
import { listConversations, readConversation } from '../../runs/conversation/store.ts';
import type { OpenConversation } from '../../runs/conversation/conversation.ts';
import type { AnswerOutcome } from '../../runs/conversation/dialogue.ts';
import { findCommand } from '../../tools/commands/find-command.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { readSlashLine } from '../../tools/commands/slash-line.ts';
import { slashUsage } from '../../tools/commands/slash-usage.ts';
import { cutToWidth } from '../../text/display-width.ts';
import { neutralise } from '../../text/neutralise.ts';
import { chatCommands, NotLikeThat, type ChatHands, type CommandOutcome } from './chat-commands.ts';
import { completeInput } from './chat-completion.ts';
import { createEditedInput, createPipedInput, type ChatInput } from './chat-input.ts';
import type { ChatScreen } from './chat-screen.ts';
import type { CollabHands } from './inner-commands.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import type { InnerCommand } from './run-inner-command.ts';
import type { Session } from '../session.ts';

export interface Talk {
  readonly session: Session;
  readonly conversation: OpenConversation;
  readonly screen: ChatScreen;
  readonly hands: CollabHands;
  readonly tools: readonly Tool[];
  readonly home: string;
  readonly isAtTerminal: boolean;
  readonly json: boolean;
  readonly identity: AgentIdentity;
  readonly resumed: boolean;
  readonly notes: readonly string[];
  readonly openModel: (model: string) => Promise<ConversationAnswerer>;
  /** @throws CollabError `usage` */
  readonly checkAdvisor: (name: string) => Promise<void>;
}

/** Runs the conversation and resolves with the exit code. */
export async function converse(talk: Talk): Promise<number> {
  const { session, conversation, screen } = talk;
  introduce(talk);
  const input = inputOf(talk);
  const answer = createAnswer(talk);
  let last: CommandOutcome = 'done';
  try {
    for (let typed = await input.read(); typed !== null; typed = await input.read()) {
      if (typed.trim() === '') continue;
      last = await answer(typed);
      if (last === 'leave') break;
      screen.tell({
        type: 'chat.done',
        outcome: last,
        current_node: conversation.history().current_node,
      });
      if (session.signal.aborted) break;
    }
  } finally {
    input.close();
  }
  const signal = session.endedBy();
  if (signal !== null) return exitCodeOfSignal(signal);
  if (talk.isAtTerminal && conversation.history().current_node !== null) {
    session.err(`to continue: collab chat --resume ${conversation.id}\n`);
  }
  return last === 'failed' ? exitCodes.failed : exitCodes.passed;
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
  session.err(`${neutralise(parts.join('; '))}\n`);
  if (isAtTerminal) session.err('/help lists the commands; Ctrl-C stops an answer, Ctrl-D exits\n');
}

function inputOf({ session, conversation, tools, isAtTerminal, json }: Talk): ChatInput {
  if (!isAtTerminal) return createPipedInput(session, json ? readJsonInput : undefined);
  const said = Object.values(conversation.history().messages).filter(({ role }) => role === 'user');
  return createEditedInput(session, {
    complete: (line) => completeInput(line, { tools, cwd: session.cwd }),
    earlier: said.map(({ content }) => content).toReversed(),
  });
}

/** Reads `{"text": "two\nlines"}`, or the line itself. */
function readJsonInput(line: string): string {
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

function createAnswer(talk: Talk): (typed: string) => Promise<CommandOutcome> {
  const { session, conversation, screen, tools, isAtTerminal } = talk;

  return async (typed) => {
    const stop = new AbortController();
    const release = isAtTerminal ? session.holdInterrupt(() => stop.abort(new Error('stopped'))) : null;
    const signal = AbortSignal.any([session.signal, stop.signal]);
    try {
      return await perform(typed, signal);
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

  async function perform(typed: string, signal: AbortSignal): Promise<CommandOutcome> {
    const line = readSlashLine(typed);
    if (line.kind === 'text') return shown(() => conversation.say(line.text, signal));
    const found = findCommand(line.name, [...chatCommands, ...tools]);
    if (!found.ok) throw new NotLikeThat(found.why);
    const { command } = found;
    if (!('says' in command)) return useTool(typed, signal);
    try {
      return await command.run(line.rest, handsOf(talk, { command: command.name, signal, shown }));
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

  async function shown(work: () => Promise<AnswerOutcome>): Promise<CommandOutcome> {
    screen.begin('answer');
    const end = await work().finally(() => screen.end());
    if (end.kind === 'failed') screen.refuse(`no answer: ${end.message}`, end.hint ?? '/resend asks again');
    if (end.kind === 'stopped' && isAtTerminal) session.err('stopped\n');
    return end.kind;
  }
}

interface Doing {
  readonly command: string;
  readonly signal: AbortSignal;
  readonly shown: (work: () => Promise<AnswerOutcome>) => Promise<CommandOutcome>;
}

/** Maximum number of characters of a command's output that are sent to the lead, from its end. */
const toldCharacters = 32_768;

function handsOf(talk: Talk, { command, signal, shown }: Doing): ChatHands {
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

function titleOf(folder: Parameters<typeof readConversation>[0]): string {
  try {
    return readConversation(folder).title;
  } catch (error) {
    return error instanceof CollabError ? '(corrupt)' : '';
  }
}
