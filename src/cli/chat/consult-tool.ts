/** The advisor as tools for the lead: each question is a whole `collab consult`, with its own run. */
import { z } from 'zod';
import { consultPhases } from '../../tags/tags.ts';
import { defineTool } from '../../tools/definition/define-tool.ts';
import type { Tool, ToolOutcome } from '../../tools/definition/interfaces.ts';
import { exitCodes } from '../exit-code.ts';
import type { CollabHands } from './inner-commands.ts';
import type { InnerCommand } from './run-inner-command.ts';

export type AdvisorTools = Pick<CollabHands, 'consultForLead' | 'answerForLead'>;

export function createAdvisorTools({ consultForLead, answerForLead }: AdvisorTools): readonly Tool[] {
  const consult = defineTool({
    name: 'Consult',
    description:
      'Asks the advisor, another coding agent, for its opinion. It reads a copy of the repository but not this conversation, so include everything that it needs in the brief. It may ask back: then use AnswerAdvisor.',
    readOnly: false,
    args: z.strictObject({
      phase: z.enum(consultPhases).describe('the phase of your question'),
      brief: z.string().min(1).describe('the plan and the question, in Markdown'),
    }),
    run: async (question, { signal }) => outcomeOf(await consultForLead(question, signal)),
  });
  const answer = defineTool({
    name: 'AnswerAdvisor',
    description: 'Answers a question of the advisor, and returns its next answer.',
    readOnly: false,
    args: z.strictObject({
      run: z
        .string()
        .regex(/^\w[\w-]*$/)
        .describe('the id of the run with the question'),
      answer: z.string().min(1),
    }),
    run: async (args, { signal }) => outcomeOf(await answerForLead(args.run, args.answer, signal)),
  });
  return [consult, answer];
}

function outcomeOf({ exitCode, printed, remarks }: InnerCommand): ToolOutcome {
  const isError = exitCode !== exitCodes.passed && exitCode !== exitCodes.needsAnswer;
  const nothing = `The advisor gave no answer (exit ${exitCode}).\n${remarks}`.trimEnd();
  return { content: printed.trim() === '' ? nothing : printed, isError, exitCode };
}
