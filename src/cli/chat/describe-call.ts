/** The call of a tool as the user must see it before allowing it: every argument, and edits as colored diffs. */
import type { Tool, ToolCall } from '../../tools/definition/interfaces.ts';
import { neutralise } from '../../text/neutralise.ts';
import { plain, styled, wrapCode, type Line } from '../../text/spans.ts';
import { colorDiff } from '../../views/markdown/colored-diff.ts';
import { editsIn } from '../../views/talk/edit-lines.ts';

const indent = '  ';

/** Returns all lines, none wider than `columns`. */
export function describeCall(
  { name }: Pick<Tool, 'name'>,
  { args }: Pick<ToolCall, 'args'>,
  columns: number,
): readonly Line[] {
  const edits = isObject(args) ? editsIn(args) : null;
  const entries: readonly [string, unknown][] = isObject(args) ? Object.entries(args) : [['arguments', args]];
  const others = entries.filter(([key]) => edits === null || !edits.shown.includes(key));
  const lines = [
    [styled(neutralise(name), 'bold')],
    ...others.flatMap(([key, value]) => argumentLines(key, value)),
    ...(edits === null ? [] : colorDiff(neutralise(edits.diff)).map((line) => [plain(indent), ...line])),
  ];
  return lines.flatMap((line) => wrapCode(line, columns));
}

function argumentLines(key: string, value: unknown): readonly Line[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const [first = '', ...more] = neutralise(text).replace(/\n$/, '').split('\n');
  return [
    [plain(`${indent}${neutralise(key)}: ${first}`)],
    ...more.map((line) => [plain(`${indent}${indent}${line}`)]),
  ];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
