/** Turns a task into the input of a workflow: chooses the pair and reads the skill. Leaves nothing behind. */
import { CollabError } from '../../errors/collab-error.ts';
import { loadSkill } from '../../prompts/skills/skill-folder.ts';
import type { Skill } from '../../prompts/skills/skill.ts';
import type { Clock } from '../../system/clock.ts';
import type { ReportTarget } from '../../config/settings.ts';
import type { Phase } from '../../tags/tags.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { chooseAdvisor } from '../agents/advisor-choice.ts';
import { advisorQuestion, type AdvisorOptions } from '../agents/advisor-question.ts';
import { chooseLead } from '../agents/lead-choice.ts';
import { priceOfCalls } from '../agents/call-price.ts';
import type { WorkflowRunInput } from '../folder/run-input.ts';
import { commonInput } from '../start/common-input.ts';

export interface WorkflowOptions extends AdvisorOptions {
  readonly task: string;
  /** `auto`, `caller` or `provider[:model]`. */
  readonly lead: string;
  /** The configuration's lead; null if it names none. */
  readonly configuredLead: string | null;
  /** A skill's folder; null for the package's own skill. */
  readonly skill: string | null;
  /** The phases of the skill to run; null for all. */
  readonly phases: readonly Phase[] | null;
  /** Maximum number of review rounds; null for the skill's own. */
  readonly maxReviewRounds: number | null;
  readonly gates: WorkflowRunInput['gates'];
  readonly apply: boolean;
  readonly reports: readonly ReportTarget[];
  readonly notes: readonly string[];
  readonly clock: Clock;
}

/** @throws CollabError `empty_input`, `usage`, `config`, `cli_missing`, `auth`, `options` */
export async function prepareWorkflow(options: WorkflowOptions): Promise<WorkflowRunInput> {
  const { task, settings } = options;
  if (task.trim() === '') {
    throw new CollabError('empty_input', 'the task is empty', {
      hint: 'describe the task: collab run "<task>", or --task-file <file>',
    });
  }
  const skill = narrow(await loadSkill(options.skill), options);
  const question = advisorQuestion(options);
  const lead = await chooseLead({
    lead: options.lead,
    configured: options.configuredLead,
    environment: question.environment,
  });
  const advisor = await chooseAdvisor({ ...question, staticDoes: false });
  const price = await priceOfCalls(settings.budget_usd, [lead, advisor], question.environment);
  return {
    ...commonInput(options, { advisor, price }),
    kind: 'workflow',
    settings,
    lead: { ...lead, settings: question.environment.settings },
    reports: [...options.reports],
    task: masked(task),
    skill,
    gates: options.gates,
    apply: options.apply,
    on_advisor_failure: settings.on_advisor_failure,
  };
}

function narrow(skill: Skill, { phases, maxReviewRounds }: WorkflowOptions): Skill {
  const known = skill.phases.map(({ phase }) => phase);
  const unknown = phases?.find((phase) => !known.includes(phase));
  if (unknown !== undefined) {
    throw new CollabError('usage', `the skill ${skill.name} has no phase ${unknown}`, {
      hint: `it has ${known.join(', ')}`,
    });
  }
  const kept = skill.phases.filter(({ phase }) => phases?.includes(phase) ?? true);
  const names = kept.map(({ phase }) => phase);
  if (names.includes('review') && !names.includes('implementation')) {
    throw new CollabError('usage', 'a review needs an implementation', {
      hint: 'add implementation to --phases, or use collab review',
    });
  }
  return {
    ...skill,
    phases: kept,
    limits: { ...skill.limits, review_rounds: maxReviewRounds ?? skill.limits.review_rounds },
  };
}
