/**
 * A question with numbered choices at the terminal: `1` to `9` pick one at once, the arrow keys and Enter any. Its look is that
 * of the other prompts, which do not take numbers.
 */
import { SelectPrompt } from '@clack/core';
import {
  limitOptions,
  S_BAR,
  S_BAR_END,
  S_RADIO_ACTIVE,
  S_RADIO_INACTIVE,
  S_STEP_ACTIVE,
  S_STEP_CANCEL,
  S_STEP_SUBMIT,
} from '@clack/prompts';
import { wrapToWidth } from '../../text/display-width.ts';
import { createPaint, type Paint, type Style } from '../../text/paint.ts';
import type { PromptPlace } from './prompts.ts';

export interface NumberedChoice<Value extends string> {
  readonly value: Value;
  /** Without control characters. */
  readonly label: string;
}

/** Resolves with a symbol if the user cancels: Esc, Ctrl-C. */
export function choose<Value extends string>(
  message: string,
  choices: readonly NumberedChoice<Value>[],
  { screen, signal }: PromptPlace,
): Promise<Value | symbol> {
  const look: Look = { paint: createPaint(screen.color.err), columns: () => screen.columns };
  const prompt = new SelectPrompt({
    options: [...choices],
    input: process.stdin,
    output: process.stderr,
    signal,
    render() {
      const { state, cursor } = this;
      return renderChoices({ message, choices, state, cursor }, look);
    },
  });
  prompt.on('key', (key) => {
    const index = key !== undefined && /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
    const choice = choices[index];
    if (choice === undefined) return;
    prompt.cursor = index;
    prompt.value = choice.value;
    prompt.state = 'submit';
  });
  return prompt.prompt().then((value) => value ?? Symbol('nothing to choose'));
}

interface Look {
  readonly paint: Paint;
  readonly columns: () => number;
}

interface Shown {
  readonly message: string;
  readonly choices: readonly NumberedChoice<string>[];
  readonly state: SelectPrompt<NumberedChoice<string>>['state'];
  readonly cursor: number;
}

const margin = 3;

function renderChoices({ message, choices, state, cursor }: Shown, { paint, columns }: Look): string {
  const width = columns() - 1 - margin;
  const isOpen = state !== 'submit' && state !== 'cancel';
  const bar = `${paint[isOpen ? 'cyan' : 'dim'](S_BAR)}  `;
  const below = (text: string, ...styles: readonly Style[]): readonly string[] =>
    wrapToWidth(text, width).map(
      (line) => bar + styles.reduce((styled, style) => paint[style](styled), line),
    );
  const [first = '', ...rest] = wrapToWidth(message, width);
  const head = [paint.dim(S_BAR), `${markOf(state, paint)}  ${first}`, ...rest.map((line) => bar + line)];
  if (!isOpen) {
    const chosen = choices[cursor]?.label ?? '';
    return [...head, ...below(chosen, 'dim', ...(state === 'cancel' ? (['strike'] as const) : []))].join(
      '\n',
    );
  }
  const help = below(`1-${Math.min(9, choices.length)} choose, ↑/↓ move, Enter confirms`, 'dim');
  const options = limitOptions({
    output: process.stderr,
    cursor,
    options: choices.map(({ label }, index) => ({ value: index, label })),
    columnPadding: margin,
    rowPadding: head.length + help.length + 1,
    style: ({ value, label }, isActive) => renderChoice(label, { index: value, isActive, paint, width }),
  });
  return [...head, ...options.map((line) => bar + line), ...help, paint.cyan(S_BAR_END)].join('\n');
}

interface ChoiceLook {
  readonly index: number;
  readonly isActive: boolean;
  readonly paint: Paint;
  readonly width: number;
}

function renderChoice(label: string, { index, isActive, paint, width }: ChoiceLook): string {
  const mark = isActive ? paint.green(S_RADIO_ACTIVE) : paint.dim(S_RADIO_INACTIVE);
  const number = index < 9 ? `${index + 1}. ` : '   ';
  const indent = ' '.repeat(number.length + 2);
  const [first = '', ...rest] = wrapToWidth(label, width - indent.length).map((line) =>
    isActive ? line : paint.dim(line),
  );
  return [`${mark} ${number}${first}`, ...rest.map((line) => indent + line)].join('\n');
}

function markOf(state: Shown['state'], paint: Paint): string {
  if (state === 'submit') return paint.green(S_STEP_SUBMIT);
  return state === 'cancel' ? paint.red(S_STEP_CANCEL) : paint.cyan(S_STEP_ACTIVE);
}
