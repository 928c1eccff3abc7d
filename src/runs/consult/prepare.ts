/** Turns a brief into the input of a consult: chooses the advisor and finds the conversation. Leaves nothing behind. */
import { CollabError } from '../../errors/collab-error.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { chooseAdvisor } from '../agents/advisor-choice.ts';
import { advisorQuestion, type AdvisorOptions } from '../agents/advisor-question.ts';
import type { Earlier } from './earlier-answers.ts';
import type { LeadChoice } from '../agents/lead-choice.ts';
import { priceOfCalls } from '../agents/call-price.ts';
import type { ConsultRunInput } from '../folder/run-input.ts';
import { commonInput } from '../start/common-input.ts';
import type { Clock } from '../../system/clock.ts';

export interface ConsultOptions extends AdvisorOptions {
  readonly phase: ConsultRunInput['phase'];
  readonly brief: string;
  /** The lead that answers reverse requests. */
  readonly lead: LeadChoice;
  readonly notes: readonly string[];
  /** The conversation that this consult continues; null starts one. */
  readonly earlier: Earlier | null;
  readonly clock: Clock;
}

/**
 * Returns the input except for the run's own id, which names the conversation if this run starts it.
 *
 * @throws CollabError `usage`, `input`, `cli_missing`, `auth`, `options`
 */
export async function prepareConsult(options: ConsultOptions): Promise<(runId: string) => ConsultRunInput> {
  const { phase, settings, cwd, lead, earlier } = options;
  if (options.brief.trim() === '') {
    throw new CollabError('empty_input', 'the brief is empty', {
      hint: 'write your plan and your question; - reads standard input',
    });
  }
  const brief = masked(options.brief);
  const question = { ...advisorQuestion(options), staticDoes: false };
  const advisor = await chooseAdvisor(question);
  const price = await priceOfCalls(settings.budget_usd, [advisor], question.environment);
  const repository = await findRepository(cwd);
  return (runId) => ({
    ...commonInput(options, { advisor, price }),
    kind: 'consult',
    settings,
    lead: { ...lead, settings: question.environment.settings },
    reports: [],
    phase,
    brief,
    files: repository === null ? null : { root: repository.root, state: 'working_tree' },
    sections: [],
    conversation: earlier?.conversation ?? runId,
    earlier: [...(earlier?.settled ?? [])],
  });
}
