/** Puts a conversation together and hands it to `talk`. */
import { topFolder } from '../config/load-config.ts';
import type { Settings } from '../config/settings.ts';
import { CollabError } from '../errors/collab-error.ts';
import { createToolPolicy } from '../loop/tool-policy.ts';
import type { ProviderEnvironment } from '../providers/contract.ts';
import { parseProviderChoice } from '../providers/registry.ts';
import type { ConversationHistory } from '../providers/history.ts';
import { flattenProviderSettings, isContinuousIntegration } from '../runs/advisor-question.ts';
import { openAnswerer } from '../runs/conversation-open.ts';
import { createConversationFolder, findConversation, readConversation } from '../runs/conversation-store.ts';
import { openConversation } from '../runs/conversation.ts';
import { chooseLead, type LeadChoice } from '../runs/lead-choice.ts';
import { openToolRegistry } from '../runs/model-lead-tools.ts';
import { collabHome } from '../runs/run-folder.ts';
import type { ChatFlags } from './chat-command.ts';
import { createJsonScreen, createTextScreen } from './chat-screen.ts';
import { withChosenFolders } from './chosen-providers.ts';
import { createAdvisorTools } from './consult-tool.ts';
import { createCollabHands } from './collab-hands.ts';
import type { Program } from './program.ts';
import type { Session } from './session.ts';
import { readStandingFiles } from './standing-files.ts';
import { converse } from './talk.ts';

/** @throws CollabError as everything that it opens */
export async function chat(session: Session, flags: ChatFlags, start: Program['start']): Promise<number> {
  const { cwd, env, clock } = session;
  const isAtTerminal = flags.json !== true && session.stdin.isTTY && session.screen.interactive.out;
  const { loaded, notes } = await readStandingFiles(session, { flags, change: null, reviews: false });
  const { config } = loaded;
  const home = collabHome(session);
  const earlier = flags.resume === undefined ? null : findConversation(home, idIn(flags.resume));
  const past = earlier === null ? null : readConversation(earlier);
  const environment = {
    env,
    cwd,
    settings: flattenProviderSettings(await withChosenFolders(session, config, flags)),
    signal: session.signal,
  };
  const lead = await leadOf({ flags, config, past, environment });
  const screen =
    flags.json === true
      ? createJsonScreen(session)
      : createTextScreen(session, { ascii: flags.ascii === true });

  const hands = createCollabHands({ session, start, flags, advisor: flags.advisor ?? config.advisor });
  const registry = await openToolRegistry(topFolder(cwd), env, config.tools);
  for (const tool of createAdvisorTools(hands)) registry.register(tool);
  let shown: (() => Promise<void>) | null = null;
  const approve =
    isAtTerminal && !isContinuousIntegration(env)
      ? (await import('./approve-at-terminal.ts')).approveAtTerminal(session, async () => shown?.())
      : null;
  const tools = {
    tools: registry.list(),
    policy: createToolPolicy({ rules: config.tools.policy, approve }),
  };
  const open = (choice: Pick<LeadChoice, 'provider' | 'model'>) =>
    openAnswerer(choice, {
      environment,
      ...tools,
      limits: config.limits,
      clock,
      language: flags.language ?? config.language,
    });
  const answerer = await open(lead);
  const folder = earlier ?? createConversationFolder(home, clock);
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
  hands.keepFilesIn(folder.path);
  shown = () => conversation.told();
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
      notes,
      openModel: (model) => open({ provider: lead.provider, model }),
      checkAdvisor: async (advisor) => {
        await withChosenFolders(session, config, { ...flags, advisor });
      },
    });
  } finally {
    await conversation.close();
  }
}

function idIn(resume: string | true): string | null {
  return resume === true || resume === 'latest' ? null : resume;
}

interface LeadFacts {
  readonly flags: ChatFlags;
  readonly config: Settings;
  readonly past: ConversationHistory | null;
  readonly environment: ProviderEnvironment;
}

/** A conversation goes on with the one who led it. @throws CollabError as `chooseLead` */
async function leadOf({
  flags,
  config,
  past,
  environment,
}: LeadFacts): Promise<Pick<LeadChoice, 'provider' | 'model'>> {
  if (flags.lead === undefined && past !== null) {
    return { provider: past.platform, model: past.model === '' ? null : past.model };
  }
  const asked = flags.lead ?? config.lead;
  if (asked === 'none') {
    throw new CollabError('usage', 'a conversation needs a lead: none answers nothing', {
      hint: 'name one: collab chat --lead anthropic',
    });
  }
  const configured = config.lead === 'auto' ? null : config.lead;
  const choice = await chooseLead({ lead: asked, configured, environment });
  if (choice.model !== null || asked === 'auto') return choice;
  return { ...choice, model: parseProviderChoice(asked).model };
}
