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
      'Asks the advisor, another coding agent, for its opinion. It reads a copy of the repository and sees nothing of this conversation, so the brief says all that it must know. It may ask back: then AnswerAdvisor goes on.',
    readOnly: false,
    args: z.strictObject({
      phase: z.enum(consultPhases).describe('what it is about'),
      brief: z.string().min(1).describe('what is planned and what shall be answered, in Markdown'),
    }),
    run: async (question, { signal }) => outcomeOf(await consultForLead(question, signal)),
  });
  const answer = defineTool({
    name: 'AnswerAdvisor',
    description: 'Answers what the advisor has asked back, and gives what it says then.',
    readOnly: false,
    args: z.strictObject({
      run: z
        .string()
        .regex(/^\w[\w-]*$/)
        .describe('the id of the run that asks'),
      answer: z.string().min(1),
    }),
    run: async (args, { signal }) => outcomeOf(await answerForLead(args.run, args.answer, signal)),
  });
  return [consult, answer];
}

function outcomeOf({ exitCode, printed }: InnerCommand): ToolOutcome {
  const isError = exitCode !== exitCodes.passed && exitCode !== exitCodes.needsAnswer;
  const content = printed.trim() === '' ? `The advisor gave no answer (exit ${exitCode}).` : printed;
  return { content, isError, exitCode };
}
