/**
 * The exchange of a consult with its real actors: each turn is a step of the run, so that a resumed run takes the same
 * path.
 */
import { createActor } from 'xstate';
import type {
  AskedBack,
  ExchangeInput,
  ExchangeOutput,
  TurnRecord,
} from '../../machine/exchange/exchange-types.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import { consultRequest } from '../../prompts/phases/phase-request.ts';
import type { AgentUnavailable } from '../agents/unavailable-agent.ts';
import type { OpenedWay } from '../calls/open-replier.ts';
import { digestOf, sha256 } from '../../text/digest.ts';
import type { RunContext } from '../../engine/port.ts';
import { isRemembered } from '../calls/advisor-call.ts';
import { provideExchange, type ExchangeDrive } from '../calls/exchange-actors.ts';
import type { ConsultRunInput } from '../folder/run-input.ts';
import { runMachine } from '../../engine/drive/run-actor.ts';
import type { MetAgent, RunDrive, DriveEnding } from '../run-kind.ts';
import type { SubmittedInput } from '../engine/portable-input.ts';

export interface ConsultDrive extends RunDrive<ConsultRunInput>, ExchangeDrive {
  readonly input: ConsultRunInput;
  /** The input without the places, which differ between the machines that drive a run. */
  readonly everywhere: SubmittedInput;
  readonly answers: OpenedWay;
  /** Reports once who takes part, and prepares the review folder. */
  introduce(): Promise<AgentIdentity | AgentUnavailable>;
}

export interface ConsultEnding extends DriveEnding {
  /** The exchange's output; null if the run was cancelled before the exchange ended. */
  readonly output: ExchangeOutput | null;
  readonly asked: readonly AskedBack[];
  readonly turns: readonly TurnRecord[];
}

export async function runConsultMachine(
  context: RunContext,
  drive: ConsultDrive,
  cancelled: AbortSignal,
): Promise<ConsultEnding> {
  await meet(context, drive);
  const refusals = { any: false };
  const actor = createActor(provideActors(context, drive, refusals), { input: consultExchange(drive.input) });
  const ending = (output: ExchangeOutput | null, final: boolean): ConsultEnding => {
    const { asked, turns } = actor.getSnapshot().context;
    return { output, asked, turns, final };
  };
  return runMachine<ExchangeOutput, ConsultEnding>(actor, context, cancelled, {
    done: (output) => ending(output, !refusals.any),
    cancelled: () => ending(null, true),
  });
}

/** The steps contain the digest of all outside input, and the advisor's facts. */
async function meet(context: RunContext, drive: ConsultDrive): Promise<void> {
  const value = { brief: sha256(drive.input.brief) };
  await context.step('brief', { input: digestOf(drive.everywhere) }, async () => ({ value }), {
    repeatable: true,
  });
  const introduce = async () => {
    const advisor = await drive.introduce();
    if ('kind' in advisor) return { value: null, remember: isRemembered(advisor) };
    return { value: { model: advisor.model, version: advisor.version } };
  };
  drive.met.advisor = await context.step<MetAgent | null>('advisor', {}, introduce, {
    repeatable: true,
  });
}

function provideActors(context: RunContext, drive: ConsultDrive, refusals: { any: boolean }) {
  return provideExchange(context, drive, {
    requestForAgent: (request) => request,
    onRefusal: () => {
      refusals.any = true;
    },
  });
}

export function consultExchange({
  settings: { budgets, language },
  ...input
}: ConsultRunInput): ExchangeInput {
  const request = consultRequest({ ...input, language });
  return { name: 'consult', path: `${input.phase}/consult`, budgets, request };
}
