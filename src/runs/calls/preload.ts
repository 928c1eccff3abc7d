import { readAnswer } from '../../parsers/answers/read-answer.ts';
import { answerSkeleton } from '../../prompts/answer-form.ts';
import { exchangeSpecOf, type RequestTag } from '../../tags/tags.ts';

let isWarm = false;

/**
 * Once a process, while the first answer is awaited: reading one for the first time takes a tenth of a second or a third of it, most
 * of it for compiling, and so does what writes the transcript. An agent thinks longer than that.
 */
export function warmUpWhileWaiting(tag: RequestTag): void {
  if (isWarm) return;
  isWarm = true;
  // After the prompt has gone out.
  setImmediate(() => {
    const spec = exchangeSpecOf(tag);
    readAnswer(answerSkeleton(spec), spec.answer);
    // Who needs it meets its failure.
    import('../../views/transcript/transcript.ts').catch(() => undefined);
  });
}
