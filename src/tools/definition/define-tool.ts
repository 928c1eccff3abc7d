import { z } from 'zod';
import type { Tool, ToolContext, ToolOutcome } from './interfaces.ts';

export interface ToolDefinition<Schema extends z.ZodObject> extends Pick<
  Tool,
  'name' | 'description' | 'readOnly' | 'aliases' | 'scopeOf'
> {
  readonly args: Schema;
  readonly run: (args: z.infer<Schema>, context: ToolContext) => Promise<ToolOutcome>;
}

/** Defines a tool whose arguments are checked by the same schema that the model sees (X004-6). */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { args: schema, run, ...told } = definition;
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return {
    ...told,
    parameters,
    faultOf(args) {
      const checked = schema.safeParse(args);
      return checked.success ? null : describeFaults(told.name, checked.error);
    },
    async run(args, context) {
      const checked = schema.safeParse(args);
      return checked.success ? run(checked.data, context) : refuse(describeFaults(told.name, checked.error));
    },
  };
}

/** Returns the answer of a tool that refuses a request. */
export function refuse(content: string): ToolOutcome {
  return { content, isError: true };
}

function describeFaults(name: string, { issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  );
  return `The arguments of ${name} do not fit its schema: ${faults.join('; ')}`;
}
