/** The tools that there are, by name (004). A name or alias is one tool's alone. */
import { CollabError } from '../../errors/collab-error.ts';
import type { Tool } from './interfaces.ts';
import { createSchemaCheck } from './schema-check.ts';
import { faultOfName } from './tool-name.ts';

export interface ToolRegistry {
  /**
   * A tool without `faultOf` gets one that checks its JSON Schema.
   * @throws CollabError `options` for a name that is taken or malformed, and for parameters that are no schema of an object
   */
  register(tool: Tool): void;
  /** Whether there was such a tool. */
  unregister(name: string): boolean;
  /** By its full name. */
  find(name: string): Tool | undefined;
  /** In the order in which they came. */
  list(): readonly Tool[];
}

export function createToolRegistry(tools: Iterable<Tool> = []): ToolRegistry {
  const byName = new Map<string, Tool>();
  const registry: ToolRegistry = {
    register(tool) {
      const fault =
        namesOf(tool)
          .map(faultIn)
          .find((found) => found !== null) ?? faultOfParameters(tool);
      if (fault !== null) throw new CollabError('options', `tool ${JSON.stringify(tool.name)}: ${fault}`);
      byName.set(
        tool.name,
        tool.faultOf === undefined ? { ...tool, faultOf: createSchemaCheck(tool) } : tool,
      );
    },
    unregister: (name) => byName.delete(name),
    find: (name) => byName.get(name),
    list: () => [...byName.values()],
  };
  for (const tool of tools) registry.register(tool);
  return registry;

  function faultIn(name: string, index: number, names: readonly string[]): string | null {
    if (names.indexOf(name) < index) return `${JSON.stringify(name)} is named twice`;
    const owner = [...byName.values()].find((tool) => namesOf(tool).includes(name));
    if (owner !== undefined) return `${JSON.stringify(name)} is taken by the tool ${owner.name}`;
    const fault = faultOfName(name);
    return fault === null ? null : `${JSON.stringify(name)} cannot be its name: ${fault}`;
  }
}

function namesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases];
}

function faultOfParameters({ parameters }: Tool): string | null {
  return parameters['type'] === 'object' ? null : 'its parameters are no JSON Schema of an object';
}
