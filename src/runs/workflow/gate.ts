/**
 * The gates of a workflow: the questions for a person or the caller, and the policy's answers if no one is to be asked.
 */
import { z } from 'zod';
import type { EventAgent } from '../../events/collab-event.ts';
import type { GateDecision, GateInput } from '../../machine/workflow/workflow-types.ts';
import { isEmptyWord } from '../../parsers/answers/none-words.ts';
import { readGateAnswer } from '../../parsers/answers/gate-answer.ts';
import type { Question, RunContext } from '../../engine/port.ts';
import { clarificationHint } from '../../tags/clarification-hint.ts';
import { approvalQuestion, gateDecisions } from '../calls/gate-question.ts';

export interface PhaseGateOptions {
  /** `accept`: the policy answers. */
  readonly gates: 'ask' | 'accept';
  readonly leadAgent: EventAgent;
}

export async function passGate(
  context: RunContext,
  input: GateInput,
  options: PhaseGateOptions,
): Promise<GateDecision> {
  return context.child(`${input.phase}/${input.round}`, (scope) =>
    input.phase === 'requirements' ? clarify(scope, input, options) : approve(scope, input, options),
  );
}

async function clarify(
  scope: RunContext,
  { advice }: GateInput,
  options: PhaseGateOptions,
): Promise<GateDecision> {
  const questions = advice?.sections.find(({ name }) => name === 'CLARIFICATION_QUESTIONS')?.text ?? '';
  if (questions.trim() === '' || isEmptyWord(questions)) {
    return { kind: 'go_on', decision: { kind: 'nothing_asked' } };
  }
  const question: Question<string> = {
    kind: 'clarification',
    text: questions,
    schema: { type: 'string', minLength: 1, description: clarificationHint },
    parse: (value) => z.string().trim().min(1).parse(value),
  };
  if (options.gates === 'accept') {
    await answerByPolicy(scope, question, 'the lead answers by its own assumptions', options);
    return { kind: 'go_on', decision: { kind: 'assume' } };
  }
  return { kind: 'go_on', decision: { kind: 'answers', text: await scope.receive('gate', question) } };
}

async function approve(
  scope: RunContext,
  input: GateInput,
  options: PhaseGateOptions,
): Promise<GateDecision> {
  const question = approvalQuestion(input.phase, gateText(input), (answer) => decisionOf(answer, input));
  if (options.gates === 'ask') return scope.receive('gate', question);
  await answerByPolicy(scope, question, 'approve', options);
  return { kind: 'go_on', decision: { kind: 'approved', comment: null } };
}

/** Records what would have been asked, and that the policy answered. */
function answerByPolicy(
  scope: RunContext,
  question: Question<unknown>,
  answer: string,
  { leadAgent }: PhaseGateOptions,
): Promise<null> {
  const { kind, text } = question;
  return scope.step('gate', { kind, text }, async (attempt) => {
    const name = 'gate by policy';
    const about = { agent: leadAgent };
    attempt.emit({ type: 'question.asked', name, kind, text, schema: { type: 'string' } }, about);
    attempt.emit({ type: 'question.answered', name, by: 'policy', value: answer }, about);
    return { value: null };
  });
}

function gateText({ phase, draft, advice }: GateInput): string {
  const advised = (advice?.sections ?? []).map(({ name, text }) => `## ${name}\n\n${text}`).join('\n\n');
  return [
    `# The lead's ${phase}`,
    draft.trim(),
    ...(advised === '' ? ['The advisor gave no answer.'] : ['# What the advisor says', advised]),
    `# ${gateDecisions.approval}`,
  ].join('\n\n');
}

function decisionOf(text: string, { phase }: GateInput): GateDecision {
  const answer = readGateAnswer(text);
  if (answer === null) throw new RangeError(`${text} is no answer to a gate`);
  switch (answer.kind) {
    case 'approve':
      return { kind: 'go_on', decision: { kind: 'approved', comment: answer.comment } };
    case 'stop':
      return { kind: 'stop', comment: answer.comment };
    case 'revise':
      return { kind: 'revise', phase: answer.phase ?? phase, comment: answer.comment };
    default:
      return answer satisfies never;
  }
}
