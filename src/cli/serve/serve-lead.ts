/** Opens the lead for a plain message to the server: as in `collab chat`, but there is no person to ask for permission. */
import { resolve } from 'node:path';
import { toolAction } from '../../access/actions.ts';
import { may } from '../../access/permissions.ts';
import type { Speaker } from '../../access/speaker.ts';
import { topFolder, type LoadedConfig } from '../../config/load-config.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { createToolPolicy } from '../../loop/tool-policy.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { createConversationBudget } from '../../runs/conversation/budget.ts';
import { openAnswerer } from '../../runs/conversation/open-answerer.ts';
import { hasHistory, readConversation } from '../../runs/conversation/store.ts';
import { openToolRegistry, unheldTools } from '../../runs/agents/model-lead-tools.ts';
import { priceOfCalls } from '../../runs/agents/call-price.ts';
import type { TurnLead } from '../../runs/conversation/drive-turn.ts';
import { toolsWithTokens } from '../../runs/agents/tools-with-tokens.ts';
import type { LeadCall } from '../../server/runs/run-ports.ts';
import { budgetLimits } from '../../runs/calls/budget.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { limitsIn, repeatsIn } from '../../runs/folder/run-settings.ts';
import { aboutTokens } from '../../prompts/system-prompts.ts';
import { leadOfChat } from '../chat/chat-lead.ts';
import { withChosenFolders } from '../../runs/start/chosen-providers.ts';
import { requireLead } from '../../runs/start/guest-lead.ts';
import { readStandingFiles } from '../../runs/start/standing-files.ts';
import { folderFor } from '../../server/runs/served-place.ts';
import { skillTexts } from '../../server/runs/served-skills.ts';
import { lockedFor, toolSettingsFor } from './tenant-tools.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import type { Session } from '../session.ts';

export interface ServedCommands {
  readonly session: Session;
  readonly flags: ServeFlags;
}

/** The caller closes it. @throws CollabError as `collab chat` */
export async function openServedLead(
  { speaker, folder, skills, tokens, past: spent, signal }: LeadCall,
  { session, flags }: ServedCommands,
): Promise<TurnLead> {
  const { clock } = session;
  const cwd = folderFor(speaker, session);
  const instructions = [...skillTexts(skills, cwd), ...aboutTokens(Object.keys(tokens))];
  const env = { ...session.env, CLAUDECODE: undefined };
  const loaded = await settingsFor(speaker, { session: { ...session, signal }, flags });
  const { config } = loaded;
  const settings = flattenProviderSettings(await withChosenFolders(session, config, flags));
  const environment = { env, cwd: session.cwd, settings, signal };
  const past = hasHistory(folder) ? readConversation(folder) : null;
  const lead = await leadOfChat({ flags, config, past, environment });
  await requireLead(speaker, lead.provider);
  const [registry, unheld] = await Promise.all([
    openToolRegistry(topFolder(session.cwd), env, toolSettingsFor(speaker, config.tools), {
      home: collabHome(session),
      locked: lockedFor(speaker, loaded, { session, flags }),
    }),
    unheldTools(),
  ]);
  const all = registry.list();
  const mayUse = (tool: Tool) => may(speaker, toolAction(tool.name)).allowed;
  const tools = {
    tools: toolsWithTokens(all.filter(mayUse), tokens),
    policy: createToolPolicy({
      rules: config.tools.policy,
      approve: null,
      speaker,
      ...(unheld === null ? {} : { unheld }),
    }),
  };
  const budget = createConversationBudget({
    limits: budgetLimits(config),
    price: await priceOfCalls(config.budget_usd, [lead], environment),
    past: spent,
    whatToDo: (flag) => `the configuration of the server has ${flag.slice(2).replaceAll('-', '_')}`,
  });
  const answerer = await openAnswerer(lead, {
    environment,
    folder,
    budget,
    ...tools,
    limits: limitsIn(config, null),
    repeats: repeatsIn(config),
    clock,
    language: flags.language ?? config.language,
    instructions,
  });
  return { answerer, tools, withheld: all.filter((tool) => !mayUse(tool)) };
}

/** Reads the configuration that applies to the speaker: the repository's only if they have a grant for it. */
async function settingsFor(speaker: Speaker, { session, flags }: ServedCommands): Promise<LoadedConfig> {
  const cwd = folderFor(speaker, session);
  const { config_from: ref, ...others } = flags;
  const config = flags.config === undefined ? {} : { config: resolve(session.cwd, flags.config) };
  const from = ref === undefined || cwd !== session.cwd ? {} : { config_from: ref };
  const read = { flags: { ...others, ...config, ...from }, change: null, reviews: false };
  return (await readStandingFiles({ ...session, cwd }, read)).loaded;
}
