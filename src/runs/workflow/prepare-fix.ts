/** Turns chosen findings into the input of a run that fixes them: an implementation and a review, without a consult. */
import type { Finding } from '../../events/collab-event.ts';
import type { FixRunInput } from '../folder/run-input.ts';
import { prepareWorkflow, type WorkflowOptions } from './prepare.ts';

export interface FixOptions extends Omit<WorkflowOptions, 'task' | 'skill' | 'phases'> {
  /** The run whose findings they are. */
  readonly run: string;
  readonly findings: readonly Finding[];
}

/** Reviews before the run gives up: findings that two fixes did not end are for a person. */
const usualRounds = 2;

/** @throws CollabError `usage`, `config`, `cli_missing`, `auth`, `options` */
export async function prepareFix({ run, findings, ...options }: FixOptions): Promise<FixRunInput> {
  const input = await prepareWorkflow({
    ...options,
    task: `Fix ${findings.map(({ id }) => id).join(', ')} of ${run}`,
    skill: null,
    phases: ['implementation', 'review'],
    maxReviewRounds: options.maxReviewRounds ?? usualRounds,
  });
  const { skill } = input;
  return {
    ...input,
    kind: 'fix',
    // The findings are the whole task: the skill's words are about work on one.
    skill: {
      ...skill,
      name: 'fix',
      phases: skill.phases.map((phase) => ({ ...phase, template: '' })),
      limits: { ...skill.limits, consults: 0 },
    },
    fix: { run, findings: [...findings] },
  };
}
