/** Asks at the terminal of a conversation whether the lead may run a tool. */
import type { Approval, PolicyOptions } from '../../loop/tool-policy.ts';
import type { Tool, ToolCall } from '../../tools/definition/interfaces.ts';
import { createPaint } from '../../text/paint.ts';
import { paintLine, type Line } from '../../text/spans.ts';
import { foldLongDiff } from '../../views/markdown/colored-diff.ts';
import type { NumberedChoice } from '../driving/choose.ts';
import { askChoice, askLine, type PromptPlace } from '../driving/prompts.ts';
import type { Session } from '../session.ts';
import { describeCall } from './describe-call.ts';

type Answer = Approval['kind'] | 'whole';

/**
 * `hold` prints everything so far but the edits of the call, and keeps later output from the prompt; it returns the function that ends this. Ctrl-C and
 * Esc stop the answer.
 */
export function approveAtTerminal(
  { err, screen }: Pick<Session, 'err' | 'screen'>,
  hold: (call: ToolCall) => () => void,
): NonNullable<PolicyOptions['approve']> {
  const paint = createPaint(screen.color.err);
  const print = (lines: readonly Line[]): void =>
    err(`\n${lines.map((line) => `${paintLine(line, paint)}\n`).join('')}`);

  return async (tool, call, signal): Promise<Approval> => {
    const release = hold(call);
    const asking = { screen, signal };
    try {
      const whole = describeCall(tool, call, screen.columns - 1);
      let shown = foldLongDiff(whole);
      for (;;) {
        print(shown);
        const isFolded = shown.length < whole.length;
        const choices: readonly NumberedChoice<Answer>[] = [
          { value: 'once', label: 'yes, once' },
          { value: 'always', label: `yes, always in this conversation${scopeWords(tool)}` },
          { value: 'no', label: 'no, with a reason' },
          ...(isFolded ? [{ value: 'whole', label: `show all ${whole.length} lines` } as const] : []),
        ];
        const kind = await askChoice(`Allow ${tool.name}?`, choices, asking);
        if (kind === 'once' || kind === 'always') return { kind };
        if (kind === 'no') return { kind, reason: await reasonOf(asking) };
        shown = whole;
      }
    } finally {
      release();
    }
  };
}

async function reasonOf(asking: PromptPlace): Promise<string | null> {
  const reason = await askLine('Why not? The lead gets your reason.', asking, 'nothing');
  return reason.trim() === '' ? null : reason;
}

function scopeWords({ scopeOf }: Tool): string {
  return scopeOf === undefined ? '' : ' for exactly the same';
}
