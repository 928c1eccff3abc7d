/** The protocol's commands as a conversation starts them, with the choices made in it. */
import type { ConsultStart, StartDefaults, StartRequest } from '../../runs/start/start-request.ts';
import { answerRunOf } from '../commands/answer-command.ts';
import type { ConsultFormat } from '../../views/reports/report-formats.ts';
import type { ChatFlags } from '../commands/chat-command.ts';
import { markdownAtTerminal } from '../driving/markdown-at-terminal.ts';
import { presentStart } from '../driving/present-start.ts';
import { exitCodes } from '../exit-code.ts';
import type { Action, Program } from '../program.ts';
import type { Session } from '../session.ts';
import { runInner, type InnerCommand } from './run-inner-command.ts';

export interface CollabHands {
  /** Runs a command that the user typed, printing its output as it arrives. */
  readonly run: (words: readonly string[], signal: AbortSignal) => Promise<InnerCommand>;
  /** Asks the advisor for the user, who answers its reverse requests. */
  readonly consult: (question: ConsultQuestion, signal: AbortSignal) => Promise<InnerCommand>;
  /** Asks the advisor for the lead, printing nothing; the lead answers its reverse requests. */
  readonly consultForLead: (question: ConsultQuestion, signal: AbortSignal) => Promise<InnerCommand>;
  /** Answers the advisor's reverse request in a run, for the lead. */
  readonly answerForLead: (runId: string, text: string, signal: AbortSignal) => Promise<InnerCommand>;
  readonly advisor: () => string;
  readonly chooseAdvisor: (advisor: string) => void;
}

export type ConsultQuestion = Required<Pick<ConsultStart, 'phase' | 'brief'>>;

export interface CollabHandsOptions {
  readonly session: Session;
  readonly program: Pick<Program, 'perform' | 'read'>;
  readonly flags: ChatFlags;
  readonly advisor: string;
}

export function createCollabHands({ session, program, flags, ...first }: CollabHandsOptions): CollabHands {
  let { advisor } = first;
  const { perform, read } = program;
  const isShown = flags.json !== true;
  const inner = (action: Action, signal: AbortSignal, shown: boolean) =>
    runInner(action, { session, perform, signal, shown });

  function defaultsOf(kind: StartRequest['kind'] | undefined): StartDefaults {
    const { resume: _resume, json: _json, ascii: _ascii, ...defaults } = flags;
    return {
      ...defaults,
      advisor: advisor === 'auto' ? undefined : advisor,
      lead: kind === 'run' ? flags.lead : undefined,
    };
  }

  function consultation(request: Omit<ConsultStart, 'kind'>, format: ConsultFormat): Action {
    const line = { request: { kind: 'consult', ...request }, shown: { format } } as const;
    return (within) => presentStart(within, line, defaultsOf('consult'));
  }

  return {
    run: (words, signal) =>
      inner(
        async (within) => {
          const line = read(words, within.out);
          return line === null
            ? exitCodes.passed
            : line.action(within, defaultsOf(line.starts?.request.kind));
        },
        signal,
        isShown,
      ),
    /** The lead gets the Markdown that the user sees rendered. */
    async consult(question, signal) {
      const render = isShown ? await markdownAtTerminal(session) : null;
      const request = { ...question, ...(isShown ? { ask: true } : {}) };
      const action = consultation(request, render === null ? 'terminal' : 'markdown');
      return runInner(action, { session, perform, signal, shown: isShown, render });
    },
    consultForLead: (question, signal) => inner(consultation(question, 'markdown'), signal, false),
    answerForLead: (runId, text, signal) =>
      inner((within) => answerRunOf(within, runId, { text, format: 'markdown' }), signal, false),
    advisor: () => advisor,
    chooseAdvisor: (next) => (advisor = next),
  };
}
