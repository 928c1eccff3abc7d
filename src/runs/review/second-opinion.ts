/** The second opinion with its real actors: the lead's turns and the judging of its verdicts are steps of the run. */
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
import { judgeVerdict, type Judgement } from '../../review/findings/judge-verdict.ts';
import { digestOf, sha256 } from '../../text/digest.ts';
import type { RunContext } from '../../engine/port.ts';
import { caller } from '../agents/lead-choice.ts';
import { openVerdictRecall } from '../cache/open-cache.ts';
import { pathsRead, quotableFiles } from './quotable-files.ts';
import type { VerdictRecall } from '../cache/verdict-cache.ts';
import { reader } from '../reading/reader.ts';
import { askLead, type LeadCallOptions } from '../calls/lead-call.ts';
import type { ReviewDrive } from './actors.ts';

/** The run's input determines who takes part: the same on every drive. */
export function secondOpinionWay({ input, answers, reviewFolder }: ReviewDrive): SecondOpinionWay {
  if (!input.verify) return { kind: 'off' };
  if (answers.way.kind === 'asked') return { kind: 'together' };
  if (answers.way.kind === 'declined') return { kind: 'off' };
  return { kind: 'each', reads: reviewFolder === null ? 'nothing' : 'copy' };
}

/** `onRefusal` is called when a turn ends with a refusal that is not remembered. */
export function provideVerify(context: RunContext, drive: ReviewDrive, onRefusal: () => void) {
  const leadAgent = leadAgentOf(drive);
  const recall = openVerdictRecall(drive);
  const { way } = drive.answers;
  const options: Omit<LeadCallOptions, 'actorSignal'> = {
    ...drive,
    lead: way.kind === 'agent' ? way.lead : null,
    leadAgent,
    fenceSeed: drive.input.fence_seed,
    copy: readOnly(way.kind === 'agent' ? drive.reviewFolder : null),
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

function leadAgentOf({ answers: { way } }: ReviewDrive): EventAgent {
  return way.kind === 'agent' ? way.leadAgent : { id: 'lead', role: 'lead', provider: caller };
}

/** The lead changes nothing, so there is no tree to restore. */
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
  { path, number, findings, text, recalled, last }: JudgeInput,
): Promise<JudgeOutput> {
  const ids = findings.map(({ finding }) => finding.id);
  return context.child(path, (scope) =>
    scope.step(`judge-${number}`, { text: sha256(text), findings: digestOf(ids) }, async (attempt) => {
      await drive.introduce();
      const readings = await reader.verdicts(text, ids, attempt.signal);
      const before = recalled?.kind === 'answered' ? recalled : null;
      const judgements: Judgement[] = [];
      const unreadable: { id: string; problem: string }[] = [];
      for (const { finding } of findings) {
        const reading = readings.get(finding.id) ?? { kind: 'unreadable', problem: 'does not mention it' };
        if (reading.kind === 'read') {
          const files = quotableFiles(drive, path, finding, before?.read);
          const judgement = await judgeVerdict(finding, reading.verdict, files);
          judgements.push(before === null ? judgement : { ...judgement, cached: before.cached });
        } else if (last) {
          const evidence = `the lead's answer could not be read: it ${reading.problem}`;
          judgements.push({ id: finding.id, verdict: 'unverified', evidence });
        } else unreadable.push({ id: finding.id, problem: reading.problem });
      }
      if (before === null && [...readings.values()].every(({ kind }) => kind === 'read')) {
        drive.recall?.keep(askingPath(path, 1), { text, read: pathsRead(drive, path) });
      }
      const fault = recalled?.kind === 'fault' ? { cache_fault: recalled.fault } : {};
      for (const judgement of judgements) {
        attempt.emit({ type: 'finding.judged', ...judgement, ...fault }, { agent: drive.leadAgent });
      }
      return { value: { judgements, unreadable } };
    }),
  );
}
