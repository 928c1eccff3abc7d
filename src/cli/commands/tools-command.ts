/** `collab tools`: lists the tools of a conversation in this folder, their permissions and their commands. */
import { nearest } from '../../text/nearest.ts';
import type { ToolSettings } from '../../config/settings.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

interface ToolsFlags {
  readonly json?: boolean;
  readonly config?: string;
}

export interface ListedTool {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly read_only: boolean;
  readonly policy: { readonly agent: string; readonly user: string };
  readonly usage: string;
  readonly parameters: Tool['parameters'];
}

const examples = `
A command is the name or an alias of a tool. \`tools\` in the configuration decides who may use which tool:
  tools: { policy: { Bash: deny, Write: { agent: ask, user: allow } } }

Examples:
  collab tools
  collab tools --json
`;

export function addToolsCommand({ root, run }: Program): void {
  root
    .command('tools')
    .description('list the tools of a conversation: commands, permissions and parameters')
    .option('--json', 'print JSON, with the JSON Schema of each tool')
    .option('--config <file>', 'use this configuration file')
    .addHelpText('after', examples)
    .action((flags: ToolsFlags) => {
      run(async (session) => {
        const { tools, settings } = await openTools(session, flags);
        for (const warning of strayRules(settings, tools)) session.err(`${warning}\n`);
        const lines = await Promise.all(tools.map((tool) => describe(tool, settings)));
        if (flags.json === true) session.out(renderJson(lines));
        else await printTools(session, lines);
        return 0;
      });
    });
}

async function openTools({ cwd, env }: Session, { config: path }: ToolsFlags) {
  const [{ loadConfig, topFolder }, { openToolRegistry }] = await Promise.all([
    import('../../config/load-config.ts'),
    import('../../runs/agents/model-lead-tools.ts'),
  ]);
  const { config } = await loadConfig({ cwd, env, ...(path === undefined ? {} : { path }) });
  const registry = await openToolRegistry(topFolder(cwd), env, config.tools);
  return { tools: registry.list(), settings: config.tools };
}

async function describe(tool: Tool, { policy }: ToolSettings): Promise<ListedTool> {
  const [{ leaveBy }, { slashUsage }] = await Promise.all([
    import('../../loop/tool-policy.ts'),
    import('../../tools/commands/slash-usage.ts'),
  ]);
  const { name, aliases = [], description, readOnly, parameters } = tool;
  return {
    name,
    aliases,
    description,
    read_only: readOnly,
    policy: { agent: leaveBy(policy, tool, 'agent'), user: leaveBy(policy, tool, 'user') },
    usage: slashUsage(tool, aliases[0] ?? name),
    parameters,
  };
}

async function printTools(session: Session, tools: readonly ListedTool[]): Promise<void> {
  const { renderTools } = await import('../lists/tool-list.ts');
  const { printList } = await import('../lists/print-list.ts');
  printList(session, (width) => renderTools(tools, width));
}

/** Reports rules for unknown tools, which protect nothing. */
function strayRules({ policy }: ToolSettings, tools: readonly Tool[]): readonly string[] {
  const names = tools.map(({ name }) => name);
  const strays = Object.keys(policy).filter((rule) => !rule.endsWith('*') && !names.includes(rule));
  return strays.map((rule) => {
    const near = nearest(rule, names);
    return `tools.policy: there is no tool ${rule}${near === null ? '' : `; did you mean ${near}?`}`;
  });
}
