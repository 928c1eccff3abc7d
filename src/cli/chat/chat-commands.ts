/** The commands of `collab chat` that are not tools: the protocol, and the conversation itself. */
import { nearest } from '../../text/nearest.ts';
import { consultPhases } from '../../tags/tags.ts';
import type { ConsultQuestion } from './inner-commands.ts';
import { branchEnds, renderBranches, renderThread, saidIn } from './chat-tree.ts';
import type { ConversationHistory } from '../../providers/history/history.ts';
import { consultUsage, readConsultLine, readTaskLine } from '../../tools/commands/protocol-line.ts';
import { quoteWord, splitWords } from '../../tools/commands/shell-words.ts';

/** The operations that a command can use; `chat.ts` implements them on the conversation. */
export interface ChatHands {
  readonly history: () => ConversationHistory;
  readonly columns: number;
  readonly print: (text: string) => void;
  /** Runs a command of `collab`; its output is sent to the lead. */
  readonly collab: (typed: string, words: readonly string[]) => Promise<CommandOutcome>;
  /** Asks the advisor; its answer is sent to the lead. */
  readonly consult: (typed: string, question: ConsultQuestion) => Promise<CommandOutcome>;
  readonly resend: (messageId: string, text: string | null) => Promise<CommandOutcome>;
  readonly switchTo: (messageId: string) => void;
  /** Continues another conversation; without an id, the user picks one. Returns false if the user picked none. */
  readonly resume: (id: string | null) => Promise<boolean>;
  readonly chooseAdvisor: (name: string) => Promise<void>;
  readonly chooseModel: (model: string) => Promise<void>;
  /** Returns the current `advisor`, and the lead with its model. */
  readonly chosen: () => { readonly advisor: string; readonly lead: string };
  /** Returns lines about other conversations. */
  readonly others: () => readonly string[];
  /** Returns lines about the tools' own commands. */
  readonly toolUsages: () => readonly string[];
}

export type CommandOutcome = 'answered' | 'failed' | 'stopped' | 'refused' | 'done' | 'leave' | 'resume';

export interface ChatCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly usage: string;
  readonly says: string;
  /** Rejects with {@link NotLikeThat} if it cannot parse the text. */
  readonly run: (rest: string, hands: ChatHands) => Promise<CommandOutcome>;
}

/** An input that fits no usage of the command; nothing was done. */
export class NotLikeThat extends Error {}

export const chatCommands: readonly ChatCommand[] = [
  {
    name: 'consult',
    usage: consultUsage,
    says: 'asks the advisor; its answer is shown and passed to the lead',
    async run(rest, { consult }) {
      const { phase: word, brief } = readConsultLine(rest);
      const phase = consultPhases.find((known) => known === word);
      if (phase === undefined) {
        const near = nearest(word, consultPhases);
        throw new NotLikeThat(near === null ? 'Name the phase first.' : `Did you mean ${near}?`);
      }
      if (brief.trim() === '') throw new NotLikeThat('Say what you want to know.');
      return consult(`/consult ${rest}`, { phase, brief });
    },
  },
  {
    name: 'review',
    usage: '/review [--staged | --base <ref> | <diff>] …',
    says: 'collab review of your changes',
    run: async (rest, { collab }) => collab(`/review ${rest}`.trim(), ['review', ...wordsOf(rest)]),
  },
  {
    name: 'run',
    usage: '/run <task> [--phases …] [--yes] …',
    says: 'collab run: takes a task through the phases',
    async run(rest, { collab }) {
      const { task, flags } = readTaskLine(rest);
      const words = task === '' ? [] : [task];
      return collab(`/run ${rest}`, ['run', ...words, ...wordsOf(flags)]);
    },
  },
  {
    name: 'advisor',
    usage: '/advisor [<provider[:model]>]',
    says: 'sets the advisor; without a name, prints it',
    async run(rest, { chooseAdvisor, chosen, print }) {
      if (rest !== '') await chooseAdvisor(rest);
      print(`advisor: ${chosen().advisor}`);
      return 'done';
    },
  },
  {
    name: 'model',
    usage: '/model [<model>]',
    says: "sets the lead's model; without a name, prints it",
    async run(rest, { chooseModel, chosen, print }) {
      if (rest !== '') await chooseModel(rest);
      print(`lead: ${chosen().lead}`);
      return 'done';
    },
  },
  {
    name: 'history',
    usage: '/history [#<n>]',
    says: 'shows the messages of this branch, or one whole message; lists other conversations',
    async run(rest, { history, columns, print, others }) {
      if (rest !== '') {
        print(numbered(rest, saidIn(history()), 'message').content);
        return 'done';
      }
      const thread = renderThread(history(), columns);
      print([...(thread.length === 0 ? ['no messages yet'] : thread), ...others()].join('\n'));
      return 'done';
    },
  },
  {
    name: 'branch',
    usage: '/branch [<n>]',
    says: 'lists the branches of the conversation, or continues on one',
    async run(rest, { history, columns, print, switchTo }) {
      if (rest !== '') switchTo(numbered(rest, branchEnds(history()), 'branch').id);
      const lines = renderBranches(history(), columns);
      print(lines.length === 0 ? 'no messages yet' : lines.join('\n'));
      return 'done';
    },
  },
  {
    name: 'resend',
    usage: '/resend [#<n>] [<text>]',
    says: 'replaces message n (default: your last) on a new branch; without a text, sends it again',
    async run(rest, { history, resend }) {
      const [, place, text = ''] = /^(#\d+(?=\s|$))?\s*([^]*)$/.exec(rest) ?? [];
      const said = saidIn(history());
      const message =
        place === undefined ? said.findLast(({ role }) => role === 'user') : numbered(place, said, 'message');
      if (message === undefined) throw new NotLikeThat('There are no messages yet.');
      if (message.role !== 'user') throw new NotLikeThat(`${place} is not yours.`);
      return resend(message.id, text === '' ? null : text);
    },
  },
  {
    name: 'resume',
    usage: '/resume [<id>]',
    says: 'continues another conversation; without an id, you pick one',
    run: async (rest, { resume }) => ((await resume(rest === '' ? null : rest)) ? 'resume' : 'done'),
  },
  {
    name: 'help',
    usage: '/help',
    says: 'this list',
    async run(_rest, { print, toolUsages }) {
      const commands = chatCommands.map(({ usage, says }) => `${usage}\n    ${says}`);
      print(
        [...commands, 'Tools:', ...toolUsages(), '//text sends a text that starts with a slash'].join('\n'),
      );
      return 'done';
    },
  },
  {
    name: 'exit',
    aliases: ['quit'],
    usage: '/exit',
    says: 'ends the conversation, like Ctrl-D; collab chat --resume continues it',
    run: async () => 'leave',
  },
];

function wordsOf(rest: string): readonly string[] {
  const split = splitWords(rest);
  if (!split.ok) throw new NotLikeThat(split.why);
  return split.words.map(({ text }) => text);
}

function numbered<Item>(text: string, items: readonly Item[], what: string): Item {
  const item = items[Number(text.replace(/^#/, '')) - 1];
  if (item !== undefined) return item;
  const known = items.length === 0 ? 'there is none yet' : `there are 1 to ${items.length}`;
  throw new NotLikeThat(`There is no ${what} ${quoteWord(text)}: ${known}.`);
}
