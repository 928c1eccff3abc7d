/** Opens the lead for a plain message to the server: as in `collab chat`, but there is no person to ask for permission. */
import { resolve } from 'node:path';
import { toolAction } from '../../access/actions.ts';
import { may, type Act } from '../../access/may.ts';
import { requireMay } from '../../access/require.ts';
import type { Guest, Speaker } from '../../access/speaker.ts';
import { topFolder, type LoadedConfig } from '../../config/load-config.ts';
import { isModelProvider } from '../../providers/contract/is-model-provider.ts';
import { folderSetting, loadProvider, parseProviderChoice } from '../../providers/contract/registry.ts';
import { caller, claudeCode } from '../../runs/agents/lead-choice.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { folderFor } from './served-place.ts';
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
import { collabHome } from '../../runs/folder/run-folder.ts';
import { aboutTokens } from '../../prompts/system-prompts.ts';
import { leadOfChat } from '../chat/chat-lead.ts';
import { withChosenFolders } from '../flags/chosen-providers.ts';
import type { ServedCommands } from './serve-prepare.ts';
import { skillTexts } from './served-skills.ts';
import { readStandingFiles } from '../flags/standing-files.ts';

/** The caller closes it. @throws CollabError as `collab chat` */
export async function openServedLead(
  { speaker, folder, skills, tokens, past: spent, signal }: LeadCall,
  { session, flags }: Pick<ServedCommands, 'session' | 'flags'>,
): Promise<TurnLead> {
  const { clock } = session;
  const cwd = folderFor(speaker, session);
  const instructions = [...skillTexts(skills, cwd), ...aboutTokens(Object.keys(tokens))];
  const env = { ...session.env, CLAUDECODE: undefined };
  const { config } = await settingsFor(speaker, { session: { ...session, signal }, flags });
  const settings = flattenProviderSettings(await withChosenFolders(session, config, flags));
  const environment = { env, cwd: session.cwd, settings, signal };
  const past = hasHistory(folder) ? readConversation(folder) : null;
  const lead = await leadOfChat({ flags, config, past, environment });
  await requireLead(speaker, lead.provider, settings);
  const [registry, unheld] = await Promise.all([
    openToolRegistry(topFolder(session.cwd), env, config.tools, collabHome(session)),
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
  const { budgetUsd, budgetTokens, budgetCalls } = config;
  const budget = createConversationBudget({
    limits: { usd: budgetUsd, tokens: budgetTokens, calls: budgetCalls },
    price: await priceOfCalls(budgetUsd, [lead], environment),
    past: spent,
    whatToDo: (flag) => `the configuration of the server has ${flag.slice(2).replaceAll('-', '_')}`,
  });
  const answerer = await openAnswerer(lead, {
    environment,
    folder,
    budget,
    ...tools,
    limits: config.limits,
    clock,
    language: flags.language ?? config.language,
    instructions,
  });
  return { answerer, tools, withheld: all.filter((tool) => !mayUse(tool)) };
}

/** Returns the lead of a tenant's run that names none: the server's lead, or `none` if the tenant has no grant for it. */
export async function leadForGuest(
  speaker: Guest,
  command: string,
  { session, flags }: Pick<ServedCommands, 'session' | 'flags'>,
): Promise<string | undefined> {
  const { config } = await settingsFor(speaker, { session, flags });
  const lead = flags.lead ?? config.lead;
  const name = lead === 'auto' ? claudeCode : parseProviderChoice(lead).provider;
  if (name === 'none' || name === caller) return lead;
  const settings = flattenProviderSettings(await withChosenFolders(session, config, flags));
  // A run of phases needs a lead; a review does not.
  if (command === 'run') await requireLead(speaker, name, settings);
  const action = await leadAction(name, settings);
  return may(speaker, action).allowed && (lead !== 'auto' || command === 'run') ? lead : 'none';
}

/** Reads the configuration that applies to the speaker: the repository's only if they have a grant for it. */
async function settingsFor(
  speaker: Speaker,
  { session, flags }: Pick<ServedCommands, 'session' | 'flags'>,
): Promise<LoadedConfig> {
  const cwd = folderFor(speaker, session);
  const { configFrom, ...others } = flags;
  const config = flags.config === undefined ? {} : { config: resolve(session.cwd, flags.config) };
  const from = configFrom === undefined || cwd !== session.cwd ? {} : { configFrom };
  const read = { flags: { ...others, ...config, ...from }, change: null, reviews: false };
  return (await readStandingFiles({ ...session, cwd }, read)).loaded;
}

/** @throws CollabError `forbidden` for an agent that the tenant has no grant for */
async function requireLead(speaker: Speaker, name: string, settings: ProviderSettings): Promise<void> {
  requireMay(speaker, await leadAction(name, settings), `a conversation with ${name}`);
}

/** A script of the owner's has no more abilities than a bare model: it uses only the tools it receives. */
async function leadAction(name: string, settings: ProviderSettings): Promise<Act> {
  if (settings[folderSetting(name)] !== undefined) return { does: "run a provider's folder", what: name };
  const isBare = name === 'rehearsal' || isModelProvider(await loadProvider(name, settings));
  return { does: isBare ? 'converse with a model' : 'converse with an agent', what: name };
}

type ProviderSettings = Readonly<Record<string, string>>;
