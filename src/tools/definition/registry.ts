/** The registered tools by name (004). A name or alias belongs to one tool only. */
import { CollabError } from '../../errors/collab-error.ts';
import type { Tool } from './interfaces.ts';
import { createSchemaCheck } from './schema-check.ts';
import { faultOfName } from './tool-name.ts';

export interface ToolRegistry {
  /**
   * Registers a tool; one without `faultOf` gets a check of its JSON Schema.
   * @throws CollabError `options` for a taken or malformed name, and for parameters that are not a schema of an object
   */
  register(tool: Tool): void;
  /** Returns true if the tool existed. */
  unregister(name: string): boolean;
  /** Finds a tool by its full name. */
  find(name: string): Tool | undefined;
  /** Returns the tools in registration order. */
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
  return parameters['type'] === 'object' ? null : 'its parameters are not the JSON Schema of an object';
}
