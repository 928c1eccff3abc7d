import { isContinuousIntegration } from '../../runs/agents/advisor-question.ts';
import type { Priority } from '../../tags/priorities.ts';
import type { Session } from '../session.ts';

/**
 * Returns the place of a run in the queue: that which is asked for, or that of its caller. A job does not wait as a person does. A
 * program that is neither a job nor at a terminal is called by a person or an agent.
 */
export function priorityOf({ env }: Pick<Session, 'env'>, asked: Priority | undefined): Priority {
  return asked ?? (isContinuousIntegration(env) ? 'ci' : 'person');
}
