import { readAnswer } from '../../parsers/answers/read-answer.ts';
import { answerSkeleton } from '../../prompts/answer-form.ts';
import { exchangeSpecOf, type RequestTag } from '../../tags/tags.ts';

let isWarm = false;

/**
 * Warms up the parser and the transcript writer once per process, while the first answer is awaited: the first use of
 * each takes 0.03 to 0.1 s, mostly for compiling. An agent thinks longer than that.
 */
export function warmUpWhileWaiting(tag: RequestTag): void {
  if (isWarm) return;
  isWarm = true;
  // After the prompt has been sent.
  setImmediate(() => {
    const spec = exchangeSpecOf(tag);
    readAnswer(answerSkeleton(spec), spec.answer);
    // The code that needs it reports the failure.
    import('../../views/transcript/transcript.ts').catch(() => undefined);
  });
}
