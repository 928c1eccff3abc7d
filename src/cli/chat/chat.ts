/** Builds a conversation and passes it to `talk`. */
import { applySettings, requestIn } from '../../config/apply-settings.ts';
import { topFolder } from '../../config/load-config.ts';
import { createToolPolicy } from '../../loop/tool-policy.ts';
import { flattenProviderSettings, isContinuousIntegration } from '../../runs/agents/advisor-question.ts';
import type { LeadName } from '../../runs/conversation/answerer.ts';
import { createConversationBudget } from '../../runs/conversation/budget.ts';
import { openAnswerer } from '../../runs/conversation/open-answerer.ts';
import {
  createConversationFolder,
  findConversation,
  readConversation,
  removeConversation,
} from '../../runs/conversation/store.ts';
import { openConversation } from '../../runs/conversation/conversation.ts';
import { recordsSoFar } from '../../engine/journal/recorded-events.ts';
import { openToolRegistry, unheldTools } from '../../runs/agents/model-lead-tools.ts';
import { priceOfCalls } from '../../runs/agents/call-price.ts';
import { removeStateFolder } from '../../runs/folder/state-folder.ts';
import { budgetLimits } from '../../runs/calls/budget.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { limitsIn, repeatsIn } from '../../runs/folder/run-settings.ts';
import type { ChatFlags } from '../commands/chat-command.ts';
import { leadOfChat } from './chat-lead.ts';
import { createJsonScreen, createTextScreen } from './chat-screen.ts';
import { withChosenFolders } from '../../runs/start/chosen-providers.ts';
import { createAdvisorTools } from './consult-tool.ts';
import { createCollabHands } from './inner-commands.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { readStandingFiles } from '../../runs/start/standing-files.ts';
import { converse } from './chat-loop.ts';

/** @throws CollabError from everything that it opens */
export async function chat(
  session: Session,
  flags: ChatFlags,
  program: Pick<Program, 'perform' | 'read'>,
): Promise<number> {
  const { cwd, env, clock } = session;
  const isAtTerminal = flags.json !== true && session.stdin.isTTY && session.screen.interactive.out;
  const { loaded, notes } = await readStandingFiles(session, { flags, change: null, reviews: false });
  const { config } = loaded;
  const settings = applySettings(config, flags, requestIn(cwd));
  const home = collabHome(session);
  const earlier = flags.resume === undefined ? null : findConversation(home, idIn(flags.resume));
  const past = earlier === null ? null : readConversation(earlier);
  const environment = {
    env,
    cwd,
    settings: flattenProviderSettings(await withChosenFolders(session, config, flags)),
    signal: session.signal,
  };
  const lead = await leadOfChat({ flags, config, past, environment });
  const screen =
    flags.json === true
      ? createJsonScreen(session)
      : createTextScreen(session, { ascii: flags.ascii === true });

  const hands = createCollabHands({ session, program, flags, advisor: settings.advisor });
  const [registry, unheld] = await Promise.all([
    openToolRegistry(topFolder(cwd), env, config.tools, { home }),
    unheldTools(),
  ]);
  for (const tool of createAdvisorTools(hands)) registry.register(tool);
  let showRest: (() => void) | null = null;
  const approve =
    isAtTerminal && !isContinuousIntegration(env)
      ? (await import('./approve-at-terminal.ts')).approveAtTerminal(session, () => showRest?.())
      : null;
  const tools = {
    tools: registry.list(),
    policy: createToolPolicy({
      rules: config.tools.policy,
      approve,
      ...(unheld === null ? {} : { unheld }),
    }),
  };
  const budget = createConversationBudget({
    limits: budgetLimits(settings),
    price: await priceOfCalls(settings.budget_usd, [lead], environment),
    past: earlier === null ? [] : recordsSoFar(earlier.path),
  });
  const folder = earlier ?? createConversationFolder(home, clock);
  const open = (choice: LeadName) =>
    openAnswerer(choice, {
      environment,
      folder,
      budget,
      ...tools,
      limits: limitsIn(settings, null),
      repeats: repeatsIn(settings),
      clock,
      language: settings.language,
    });
  const forget = (): void => {
    removeStateFolder(folder.id, session);
    removeConversation(folder);
  };
  const answerer = await open(lead).catch((error: unknown) => {
    if (earlier === null) forget();
    throw error;
  });
  const conversation = await openConversation({
    folder,
    resumed: earlier !== null,
    answerer,
    tools,
    cwd,
    clock,
    onEvent: (event) => screen.event(event),
  }).catch(async (error: unknown) => {
    await answerer.close();
    throw error;
  });
  showRest = () => conversation.showRest();
  try {
    return await converse({
      session,
      conversation,
      screen,
      hands,
      tools: tools.tools,
      home,
      isAtTerminal,
      json: flags.json === true,
      identity: answerer.identity,
      resumed: earlier !== null,
      notes:
        unheld === null
          ? notes
          : [...notes, `${unheld.why}: Bash asks you first, and the lead cannot use it`],
      openModel: (model) => open({ provider: lead.provider, model }),
      checkAdvisor: async (advisor) => {
        await withChosenFolders(session, config, { ...flags, advisor });
      },
    });
  } finally {
    await conversation.close();
    if (conversation.history().current_node === null) forget();
  }
}

function idIn(resume: string | true): string | null {
  return resume === true || resume === 'latest' ? null : resume;
}
