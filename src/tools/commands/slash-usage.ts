import { typesOf } from './coerce-word.ts';
import type { ITool } from '../definition/interfaces.ts';
import { parametersOf } from './slash-arguments.ts';

/** Renders the usage of a command: `/read <file_path> [--offset <integer>]`. */
export function slashUsage(tool: Pick<ITool, 'parameters'>, command: string): string {
  const { required, optional } = parametersOf(tool);
  const needed = required.map(([key]) => `<${key}>`);
  const free = optional.map(([key, schema]) => {
    const types = [...typesOf(schema)].filter((type) => type !== 'null');
    return types.includes('boolean') ? `[--${key}]` : `[--${key} <${types.join('|') || 'value'}>]`;
  });
  return [`/${command}`, ...needed, ...free].join(' ');
}
