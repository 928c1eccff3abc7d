/** The second opinion with its real actors: the turns of its agent and the judging of the verdicts are steps of the run. */
import { fromPromise } from 'xstate';
import type { EventAgent } from '../../events/collab-event.ts';
import { leadMachine } from '../../machine/lead/lead-machine.ts';
import type { LeadAskInput, LeadAskOutput } from '../../machine/lead/lead-types.ts';
import type { SecondOpinionWay } from '../../machine/review/second-opinion.ts';
import {
  askingPath,
  verifyMachine,
  type JudgeInput,
  type JudgeOutput,
} from '../../machine/review/verify-machine.ts';
import type { VerdictReading } from '../../parsers/answers/read-verdicts.ts';
import type { FindingChecker } from '../../prompts/lead/lead-message.ts';
import { judgeVerdict, type Judgement } from '../../review/findings/judge-verdict.ts';
import { withoutClosingLine } from '../../tags/closing-line.ts';
import { digestOf, sha256 } from '../../text/digest.ts';
import type { RunContext } from '../../engine/port.ts';
import type { Advisor } from '../agents/advisor-agent.ts';
import { caller } from '../agents/lead-choice.ts';
import { closingNonce } from '../calls/fence-nonce.ts';
import { checkerOf } from './finding-checker.ts';
import { openVerdictRecall } from '../cache/open-cache.ts';
import { pathsRead, quotableFiles } from './quotable-files.ts';
import type { VerdictRecall } from '../cache/verdict-cache.ts';
import { reader } from '../reading/reader.ts';
import { askLead, type LeadCallOptions } from '../calls/lead-call.ts';
import type { ReviewDrive } from './actors.ts';

/** The run's input determines who takes part: the same on every drive. */
export function secondOpinionWay({ input, answers, reviewFolder }: ReviewDrive): SecondOpinionWay {
  const by = checkerOf(input);
  if (by === null) return { kind: 'off' };
  const refutes = input.settings.effort === 'deep';
  if (by === 'lead' && answers.way.kind === 'asked') return { kind: 'together', refutes };
  if (by === 'lead' && answers.way.kind === 'declined') return { kind: 'off' };
  return { kind: 'each', by, refutes, reads: reviewFolder === null ? 'nothing' : 'copy' };
}

/** `onRefusal` is called when a turn ends with a refusal that is not remembered. */
export function provideVerify(context: RunContext, drive: ReviewDrive, onRefusal: () => void) {
  const { agent: leadAgent, calls } = askedAgent(drive);
  const recall = openVerdictRecall(drive);
  const options: Omit<LeadCallOptions, 'actorSignal'> = {
    ...drive,
    lead: calls,
    leadAgent,
    fenceSeed: drive.input.fence_seed,
    copy: readOnly(calls === null ? null : drive.reviewFolder),
    limits: drive.input.settings,
    waitsMs: drive.input.settings.waits_ms,
    introduce: () => drive.introduce(),
    onRefusal,
    recall,
  };
  return verifyMachine.provide({
    actors: {
      lead: leadMachine.provide({
        actors: {
          ask: fromPromise<LeadAskOutput, LeadAskInput>(({ input, signal }) =>
            askLead(context, input, { ...options, actorSignal: signal }),
          ),
        },
      }),
      judge: fromPromise<JudgeOutput, JudgeInput>(({ input }) =>
        judge(context, { ...drive, recall, leadAgent }, input),
      ),
    },
  });
}

interface AskedAgent {
  readonly agent: EventAgent;
  /** The agent that is called; null if the caller answers. */
  readonly calls: LeadCallOptions['lead'];
}

function askedAgent({ input, answers: { way }, agent, advisor }: ReviewDrive): AskedAgent {
  if (checkerOf(input) === 'advisor') return { agent, calls: asChecker(advisor) };
  if (way.kind === 'agent') return { agent: way.leadAgent, calls: way.lead };
  return { agent: { id: 'lead', role: 'lead', provider: caller }, calls: null };
}

/** The advisor opens a thread for each finding. */
function asChecker(advisor: Advisor): LeadCallOptions['lead'] {
  return {
    turn: ({ work: _work, tools: _tools, ...call }) => advisor.turn({ ...call, request: null }),
    harvest: (sessionId, callId) => advisor.harvest(sessionId, callId),
  };
}

/** A check changes nothing, so there is no tree to restore. */
function readOnly(folder: string | null): LeadCallOptions['copy'] {
  return { folder, snapshot: async () => '', restore: async () => {} };
}

interface JudgingDrive extends ReviewDrive {
  readonly leadAgent: EventAgent;
  readonly recall: VerdictRecall | null;
}

/** Files are read within the step: once judged, a verdict is the same on every drive. */
function judge(
  context: RunContext,
  drive: JudgingDrive,
  { path, number, findings, by, text, recalled, last }: JudgeInput,
): Promise<JudgeOutput> {
  const ids = findings.map(({ finding }) => finding.id);
  return context.child(path, (scope) =>
    scope.step(`judge-${number}`, { text: sha256(text), findings: digestOf(ids) }, async (attempt) => {
      await drive.introduce();
      const before = recalled?.kind === 'answered' ? recalled : null;
      const closing = closingNonce(drive.input.fence_seed, { path: askingPath(path, number) });
      const answer = { text, closing: before?.closing ?? closing };
      const readings = await readAnswerOf(by, answer, ids, attempt.signal);
      const judgements: Judgement[] = [];
      const unreadable: { id: string; problem: string }[] = [];
      for (const { finding } of findings) {
        const reading = readings.get(finding.id) ?? { kind: 'unreadable', problem: 'does not mention it' };
        if (reading.kind === 'read') {
          const files = quotableFiles(drive, path, finding, before?.read);
          const judgement = await judgeVerdict(finding, reading.verdict, files);
          judgements.push(before === null ? judgement : { ...judgement, cached: before.cached });
        } else if (last) {
          const evidence = `the answer of the ${by} could not be read: it ${reading.problem}`;
          judgements.push({ id: finding.id, verdict: 'unverified', evidence });
        } else unreadable.push({ id: finding.id, problem: reading.problem });
      }
      if (before === null && [...readings.values()].every(({ kind }) => kind === 'read')) {
        drive.recall?.keep(askingPath(path, 1), { text, closing, read: pathsRead(drive, path) });
      }
      const fault = recalled?.kind === 'fault' ? { cache_fault: recalled.fault } : {};
      for (const judgement of judgements) {
        attempt.emit({ type: 'finding.judged', ...judgement, ...fault }, { agent: drive.leadAgent });
      }
      return { value: { judgements, unreadable } };
    }),
  );
}

/** A rejection by the advisor counts only if its writer has read our prompt to the end: text in the change has not. */
async function readAnswerOf(
  by: FindingChecker,
  { text, closing }: { readonly text: string; readonly closing: string },
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, VerdictReading>> {
  if (by === 'lead') return reader.verdicts(text, ids, signal);
  const body = withoutClosingLine(text, closing);
  const readings = await reader.verdicts(body ?? text, ids, signal);
  if (body !== null) return readings;
  return new Map([...readings].map(([id, reading]) => [id, isRejection(reading) ? unclosed : reading]));
}

const unclosed: VerdictReading = { kind: 'unreadable', problem: 'rejects without the closing line' };

function isRejection(reading: VerdictReading): boolean {
  return reading.kind === 'read' && reading.verdict.word === 'reject';
}
