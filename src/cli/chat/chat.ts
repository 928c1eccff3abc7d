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
  type ConversationFolder,
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
import { createJsonScreen, createTextScreen, type ChatScreen } from './chat-screen.ts';
import { withChosenFolders } from '../../runs/start/chosen-providers.ts';
import { createAdvisorTools } from './consult-tool.ts';
import { createCollabHands } from './inner-commands.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { readStandingFiles } from '../../runs/start/standing-files.ts';
import { createPaint } from '../../text/paint.ts';
import type { Tool, ToolCall } from '../../tools/definition/interfaces.ts';
import { canLive } from '../driving/progress-screen.ts';
import { createPipedInput, type ChatInput } from './chat-input.ts';
import { converse, readJsonInput, type OpenTalk } from './chat-loop.ts';
import type { KeyWatch } from './watch-keys.ts';

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
  const first = flags.resume === undefined ? null : findConversation(home, idIn(flags.resume));
  const environment = {
    env,
    cwd,
    settings: flattenProviderSettings(await withChosenFolders(session, config, flags)),
    signal: session.signal,
  };
  const root = topFolder(cwd);
  const hands = createCollabHands({ session, program, flags, advisor: settings.advisor });
  const [registry, unheld] = await Promise.all([
    openToolRegistry(root, env, config.tools, { home }),
    unheldTools(),
  ]);
  for (const tool of createAdvisorTools(hands)) registry.register(tool);
  const screen = await screenOf(session, flags);
  const input = isAtTerminal
    ? await editedInput(session, registry.list(), root)
    : createPipedInput(session, flags.json === true ? readJsonInput : undefined);
  let watched: KeyWatch | null = null;
  let showRest: (() => void) | null = null;

  /** A question needs everything printed before it, and the keys for itself. */
  function hold({ id }: ToolCall): () => void {
    showRest?.();
    const releases = [screen.hold(id ?? null), watched?.hold()];
    return () => releases.forEach((release) => release?.());
  }
  const approve =
    isAtTerminal && !isContinuousIntegration(env)
      ? (await import('./approve-at-terminal.ts')).approveAtTerminal(session, hold)
      : null;
  const tools = {
    tools: registry.list(),
    policy: createToolPolicy({
      rules: config.tools.policy,
      approve,
      ...(unheld === null ? {} : { unheld }),
    }),
  };

  /** Opens a new conversation, or an earlier one. The caller closes it. */
  async function open(earlier: ConversationFolder | null): Promise<OpenTalk> {
    const past = earlier === null ? null : readConversation(earlier);
    const records = earlier === null ? [] : recordsSoFar(earlier.path);
    const lead = await leadOfChat({ flags, config, past, environment });
    const budget = createConversationBudget({
      limits: budgetLimits(settings),
      price: await priceOfCalls(settings.budget_usd, [lead], environment),
      past: records,
    });
    const folder = earlier ?? createConversationFolder(home, clock);
    const openLead = (choice: LeadName) =>
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
    const answerer = await openLead(lead).catch((error: unknown) => {
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
    return {
      conversation,
      identity: answerer.identity,
      resumed: earlier !== null,
      past: records,
      openModel: (model) => openLead({ provider: lead.provider, model }),
      async close() {
        await conversation.close();
        if (conversation.history().current_node === null) forget();
      },
    };
  }

  const setting = {
    session,
    input,
    keys: {
      watch: (stop: () => void) => void (watched = input.watch(stop)),
      end() {
        watched?.end();
        watched = null;
      },
    },
    screen,
    hands,
    tools: tools.tools,
    home,
    isAtTerminal,
    json: flags.json === true,
    notes:
      unheld === null ? notes : [...notes, `${unheld.why}: Bash asks you first, and the lead cannot use it`],
    openOther: open,
    checkAdvisor: async (advisor: string) => {
      await withChosenFolders(session, config, { ...flags, advisor });
    },
  };
  try {
    for (let talk = await open(first); ;) {
      showRest = () => talk.conversation.showRest();
      const end = await heldIn(talk, async () => converse({ ...setting, ...talk }));
      if (end.kind === 'left') return end.code;
      talk = end.other;
    }
  } finally {
    input.close();
  }
}

async function heldIn<Value>(talk: OpenTalk, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } finally {
    await talk.close();
  }
}

/** A terminal that cannot draw lines again gets the screen of a pipe. */
async function screenOf(session: Session, { json, ascii = false }: ChatFlags): Promise<ChatScreen> {
  if (json === true) return createJsonScreen(session);
  if (!session.screen.interactive.out || !canLive(session)) return createTextScreen(session, { ascii });
  return (await import('./terminal-screen.ts')).createTerminalScreen(session, { ascii });
}

/** The files are listed when the user mentions the first one, and again for each input that mentions one. */
async function editedInput(session: Session, tools: readonly Tool[], root: string): Promise<ChatInput> {
  const [{ createEditedInput }, { completeInput }, { createProjectFiles }] = await Promise.all([
    import('./edited-input.ts'),
    import('./chat-completion.ts'),
    import('./project-files.ts'),
  ]);
  const list = createProjectFiles(root, session);
  return createEditedInput(session, {
    complete: (line) => completeInput(line, { tools, cwd: session.cwd, files: list.files }),
    onMore: list.onMore,
    paint: createPaint(session.screen.color.out),
  });
}

function idIn(resume: string | true): string | null {
  return resume === true || resume === 'latest' ? null : resume;
}
