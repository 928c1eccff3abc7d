/** The questions of a command to the person at the terminal. A terminal that cannot move the cursor gets them as lines. */
import type { Session } from '../session.ts';
import type { NumberedChoice } from './choose.ts';
import { orInterrupt } from './interruptible-prompt.ts';

export interface PromptPlace {
  readonly screen: Session['screen'];
  /** Cancels the question. */
  readonly signal: AbortSignal;
}

/** Resolves with the chosen value. Esc, Ctrl-C and the end of the input interrupt. */
export function askChoice<Value extends string>(
  message: string,
  choices: readonly NumberedChoice<Value>[],
  asking: PromptPlace,
): Promise<Value> {
  return orInterrupt(offerChoice(message, choices, asking), asking.signal);
}

/** Resolves with a symbol instead of an interrupt. */
export async function offerChoice<Value extends string>(
  message: string,
  choices: readonly NumberedChoice<Value>[],
  asking: PromptPlace,
): Promise<Value | symbol> {
  if (asking.screen.movesCursor) return (await import('./choose.ts')).choose(message, choices, asking);
  return (await import('./line-prompts.ts')).chooseByLine(message, choices, asking.signal);
}

/** Resolves with one line, which may be empty; `placeholder` says what an empty one means. */
export async function askLine(
  message: string,
  { screen, signal }: PromptPlace,
  placeholder = '',
): Promise<string> {
  if (!screen.movesCursor) {
    const { askOneLine } = await import('./line-prompts.ts');
    const hint = placeholder === '' ? '' : ` (${placeholder})`;
    return orInterrupt(askOneLine(`${message}${hint}`, signal), signal);
  }
  const { text } = await import('@clack/prompts');
  const prompt = text({ ...terminal(), signal, message, placeholder });
  return orInterrupt(prompt, signal);
}

/** Resolves with the lines before the first empty one. */
export async function askText(message: string, { screen, signal }: PromptPlace): Promise<string> {
  const ended = `${message}; an empty line ends it`;
  if (!screen.movesCursor) {
    const { askSeveralLines } = await import('./line-prompts.ts');
    return orInterrupt(askSeveralLines(ended, signal), signal);
  }
  const { multiline } = await import('@clack/prompts');
  return orInterrupt(multiline({ ...terminal(), signal, message: ended }), signal);
}

function terminal() {
  return { input: process.stdin, output: process.stderr };
}
