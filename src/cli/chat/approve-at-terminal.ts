/** Asks at the terminal of a conversation whether the lead may run a tool. */
import { select, text } from '@clack/prompts';
import type { Approval, PolicyOptions } from '../../loop/tool-policy.ts';
import type { Tool, ToolCall } from '../../tools/definition/interfaces.ts';
import { cutToWidth } from '../../text/display-width.ts';
import { neutralise } from '../../text/neutralise.ts';
import { orInterrupt } from '../driving/interruptible-prompt.ts';
import type { Session } from '../session.ts';

/** The number of a call's lines that are shown. */
const shownLines = 40;

/** `showRest` prints everything so far: later output would be drawn over the prompt. */
export function approveAtTerminal(
  { err, screen }: Pick<Session, 'err' | 'screen'>,
  showRest: () => void,
): NonNullable<PolicyOptions['approve']> {
  return async (tool, call, signal): Promise<Approval> => {
    showRest();
    err(`\n${describeCall(tool, call, screen.columns)}\n`);
    const terminal = { output: process.stderr, signal };
    const choosing = select<Approval['kind']>({
      ...terminal,
      message: `Allow ${tool.name}?`,
      options: [
        { value: 'once', label: 'yes, once' },
        { value: 'always', label: `yes, always in this conversation${scopeWords(tool)}` },
        { value: 'no', label: 'no, with a reason' },
      ],
    });
    const kind = await orInterrupt<Approval['kind']>(choosing);
    if (kind !== 'no') return { kind };
    const explaining = text({
      ...terminal,
      message: 'Why not? The lead gets your reason.',
      placeholder: 'nothing',
    });
    const reason = await orInterrupt(explaining);
    return { kind, reason: reason.trim() === '' ? null : reason };
  };
}

function scopeWords({ scopeOf }: Tool): string {
  return scopeOf === undefined ? '' : ' for exactly the same';
}

/** Renders every argument, as far as it fits: the user must see what they allow. */
export function describeCall({ name }: Pick<Tool, 'name'>, { args }: ToolCall, columns: number): string {
  const entries: readonly [string, unknown][] =
    typeof args === 'object' && args !== null ? Object.entries(args) : [['arguments', args]];
  const lines = entries.flatMap(([key, value]) => {
    const [first = '', ...more] = (typeof value === 'string' ? value : JSON.stringify(value)).split('\n');
    return [`  ${key}: ${first}`, ...more.map((line) => `    ${line}`)];
  });
  const left = lines.length - shownLines;
  const shown = [name, ...lines.slice(0, shownLines), ...(left > 0 ? [`  … ${left} more lines`] : [])];
  return shown.map((line) => cutToWidth(neutralise(line), columns)).join('\n');
}
