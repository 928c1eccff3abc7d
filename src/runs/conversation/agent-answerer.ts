/** An answerer over an agent with its own sessions: the agent uses the conversation's tools, under the same policy. */
import { failureEvent, type FailedTurn } from '../../loop/failure-event.ts';
import { performCall, type CallSetting } from '../../loop/perform-call.ts';
import { renderRetold } from '../../prompts/conversation/earlier-messages.ts';
import { createFences, type Fences } from '../../prompts/fence.ts';
import type { HandedTools, LeadAgent, TurnResult } from '../../providers/contract/contract.ts';
import type { HistoryMessage } from '../../providers/history/history.ts';
import { attachedText } from '../../providers/history/read-attachment.ts';
import { saidBefore } from '../../providers/history/said-before.ts';
import { createToolChooser, turnsRemembered } from '../../tools/definition/choose-tools.ts';
import type { Budget, BudgetRefusal } from '../calls/budget.ts';
import { callWithin } from '../calls/budgeted-call.ts';
import type { ConversationAnswerer, AnswerEnd, LeadName, ConversationQuestion } from './answerer.ts';
import type { AgentSessions } from './agent-sessions.ts';
import { fenceNonce, newFenceSeed } from '../calls/fence-nonce.ts';

export interface AgentAnswererOptions extends Pick<CallSetting, 'tools' | 'policy' | 'clock'> {
  readonly agent: LeadAgent;
  readonly lead: LeadName;
  readonly sessions: AgentSessions;
  readonly budget: Budget;
}

export function createAgentAnswerer(options: AgentAnswererOptions): ConversationAnswerer {
  const { agent, lead, sessions } = options;
  const chooser = createToolChooser(options.tools);
  const seed = newFenceSeed();
  const called: Set<string>[] = [];
  return {
    identity: agent.identity,
    lead,
    async answer(question) {
      const { thread, callId } = question;
      const fresh = thread.slice(lastAnswer(thread) + 1).filter(({ role }) => role === 'user');
      const lately = called.slice(-turnsRemembered).flatMap((names) => [...names]);
      const offered = await chooser.choose({
        text: joined(fresh.map(({ content }) => content)),
        called: new Set(lately),
      });
      const now = new Set<string>();
      called.push(now);
      const turn = (sessionId: string | null, prompt: string) =>
        takeTurn({ ...options, question, offered, called: now, seed, sessionId, prompt });
      const fences = createFences(fenceNonce(seed, callId));
      const words = joined(fresh.flatMap((message) => toldOf(message, fences)));
      const known = sessions.knowing(thread);
      if (known !== null) {
        const end = await turn(known, words);
        if (end !== 'gone') return end;
      }
      const before = thread.slice(0, lastAnswer(thread) + 1).flatMap(saidBefore);
      const end = await turn(null, renderRetold(before, words, fences));
      return end === 'gone' ? { kind: 'failed', message: 'the session is gone', hint: null } : end;
    },
    close: () => agent.close(),
  };
}

interface Turn extends AgentAnswererOptions {
  readonly question: ConversationQuestion;
  readonly offered: HandedTools['offered'];
  /** Collects the names of called tools. */
  readonly called: Set<string>;
  /** Seed of the fences. */
  readonly seed: string;
  /** The agent's session; null for a new one. */
  readonly sessionId: string | null;
  readonly prompt: string;
}

/** Returns `gone` if the agent no longer has the session; then nothing was sent. */
async function takeTurn(turn: Turn): Promise<AnswerEnd | 'gone'> {
  const { agent, question, sessions, budget, sessionId, prompt } = turn;
  const { callId, signal } = question;
  const texts: string[] = [];
  let bound = '';
  let hasSaidWhy = false;
  const result = await callWithin(budget, { prompt, emit: question.emit, signal }, (emit) =>
    agent.turn({
      prompt,
      callId,
      sessionId,
      signal,
      work: { kind: 'converse', phase: 'implementation', round: 1, access: 'read', folder: null },
      tools: handedTools(turn),
      emit(event) {
        if (event.type === 'error' && event.repeat_in_ms === undefined) hasSaidWhy = true;
        if (event.type === 'text.end' && event.text.trim() !== '') texts.push(event.text);
        emit(event);
      },
      async bind(id) {
        sessions.begin(id, callId);
        bound = id;
      },
    }),
  );
  if (result.kind === 'cut' && result.sessionId === null) return 'gone';
  if (result.kind !== 'answered') {
    if (!hasSaidWhy) question.emit(failureEvent(isRefusal(result) ? outOfBudget(result) : result));
    return failureOf(result);
  }
  const content = texts.length === 0 ? result.text : texts.join('\n\n');
  question.keep({ role: 'assistant', content, opaque: sessions.mark(bound, callId) });
  return { kind: 'answered' };
}

/** Returns the tools for the agent. Their results are foreign text and are fenced. */
function handedTools({ tools, policy, clock, question, offered, called, seed }: Turn): HandedTools {
  const { emit } = question;
  return {
    offered,
    async call(call, signal) {
      called.add(call.name);
      const setting = { tools, injected: offered, policy, clock, signal, emit };
      const { content, isError } = await performCall({ ...call, trigger: 'agent' }, setting);
      return { content: createFences(fenceNonce(seed, call.id)).data(content), isError };
    },
  };
}

function isRefusal(result: TurnResult | BudgetRefusal): result is BudgetRefusal {
  return result.kind === 'refused';
}

function outOfBudget({ message }: BudgetRefusal): FailedTurn {
  return { kind: 'unavailable', code: 'quota', message, hint: '' };
}

function failureOf(result: Exclude<TurnResult, { kind: 'answered' }> | BudgetRefusal): AnswerEnd {
  return { kind: 'failed', message: result.message, hint: 'hint' in result ? result.hint : null };
}

function lastAnswer(thread: readonly HistoryMessage[]): number {
  return thread.findLastIndex(({ role }) => role === 'assistant' || role === 'tool');
}

/** Attachments are foreign text and are fenced; the message is the user's own text. */
function toldOf({ content, attachments = [] }: HistoryMessage, fences: Fences): readonly string[] {
  return [...attachments.map((attachment) => fences.data(attachedText(attachment))), content];
}

function joined(pieces: readonly string[]): string {
  return pieces.filter((piece) => piece.trim() !== '').join('\n\n');
}
