/** Who answers a plain message to the server: as in `collab chat`, but nobody sits there who could be asked for leave. */
import { topFolder } from '../../config/load-config.ts';
import { createToolPolicy } from '../../loop/tool-policy.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { createConversationBudget } from '../../runs/conversation/budget.ts';
import { openAnswerer } from '../../runs/conversation/open-answerer.ts';
import { hasHistory, readConversation } from '../../runs/conversation/store.ts';
import { openToolRegistry } from '../../runs/agents/model-lead-tools.ts';
import { priceOfCalls } from '../../runs/agents/call-price.ts';
import type { TurnLead } from '../../runs/conversation/drive-turn.ts';
import { toolsWithTokens } from '../../runs/agents/tools-with-tokens.ts';
import type { LeadCall } from '../../server/runs/run-ports.ts';
import { tokenVariable } from '../../tools/definition/token-variable.ts';
import { leadOfChat } from '../chat/chat-lead.ts';
import { withChosenFolders } from '../flags/chosen-providers.ts';
import type { ServedCommands } from './serve-prepare.ts';
import { skillTexts } from './served-skills.ts';
import { readStandingFiles } from '../flags/standing-files.ts';

/** The caller closes it. @throws CollabError as `collab chat` */
export async function openServedLead(
  { folder, skills, tokens, past: spent, signal }: LeadCall,
  { session, flags }: Pick<ServedCommands, 'session' | 'flags'>,
): Promise<TurnLead> {
  const { cwd, clock } = session;
  const instructions = [...skillTexts(skills, cwd), ...aboutTokens(Object.keys(tokens))];
  const env = { ...session.env, CLAUDECODE: undefined };
  const { loaded } = await readStandingFiles({ ...session, signal }, { flags, change: null, reviews: false });
  const { config } = loaded;
  const environment = {
    env,
    cwd,
    settings: flattenProviderSettings(await withChosenFolders(session, config, flags)),
    signal,
  };
  const past = hasHistory(folder) ? readConversation(folder) : null;
  const lead = await leadOfChat({ flags, config, past, environment });
  const tools = {
    tools: toolsWithTokens((await openToolRegistry(topFolder(cwd), env, config.tools)).list(), tokens),
    policy: createToolPolicy({ rules: config.tools.policy, approve: null }),
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
  return { answerer, tools };
}

function aboutTokens(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const variables = names.map((name) => `$${tokenVariable(name)}`).join(', ');
  return [
    `The user hands over secrets for this answer. Commands of Bash find them in ${variables}. Write the variable and never ask for its value: in what a tool gives back it is covered.`,
  ];
}
