import type { Tool } from './definition/interfaces.ts';

/** A tool that does nothing, for tests; it changes nothing by default. */
export function toolOf(name: string, own: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    parameters: { type: 'object' },
    readOnly: true,
    run: async () => ({ content: name, isError: false }),
    ...own,
  };
}
