/** The tools of the MCP server: thin calls of what the commands do. Each answers soon; a run continues without its caller. */
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { requireMay } from '../access/require.ts';
import { CollabError } from '../errors/collab-error.ts';
import { renderWorkOrder } from '../prompts/lead/work-order.ts';
import type { OpenedRun } from '../runs/folder/opened-run.ts';
import type { ReviewStart, StartRequest } from '../runs/start/start-request.ts';
import { consultPhases, phases } from '../tags/tags.ts';
import { severities } from '../tags/severities.ts';
import { withTimeLimit } from '../system/time-limit.ts';
import { printable } from '../views/reports/foreign-text.ts';
import { askPerson, decisionIn, gateOfRun } from './ask-person.ts';
import type { CallerRuns } from './caller-runs.ts';
import { isForPerson, reportRun } from './run-report.ts';
import { followsTasks, taskOf } from './tasks.ts';

/** Hosts cut a call off after 30 to 60 seconds. */
const mostWaitSeconds = 20;
const usualWaitSeconds = 15;

const waitSeconds = z
  .number()
  .min(0)
  .max(mostWaitSeconds)
  .default(usualWaitSeconds)
  .describe('How long to wait for the run, in seconds; then its state is returned and it continues.');
const run = z.string().min(1).describe('The id of the run, its start or end, or "latest".');
const advisor = z.string().optional().describe('The advisor, such as codex; default: the configured one.');
const lead = z.string().optional().describe('The lead, such as claude_code; default: the configured one.');

const readOnly = { readOnlyHint: true, openWorldHint: false };
/** Starts agents, whose models are elsewhere; files of the user are not changed. */
const startsRun = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

type Told = CallToolResult | InputRequiredResult;

export function addTools(server: McpServer, runs: CallerRuns): void {
  const start = (request: StartRequest, seconds: number, context: ServerContext): Promise<Told> =>
    answering(runs, async () => {
      const wait = waitOf(runs, seconds, context.mcpReq.signal);
      const started = await runs.start(request);
      return followsTasks(context) ? taskOf(started, runs) : waited(runs, started, wait);
    });

  server.registerTool(
    'review',
    {
      title: 'Review a change',
      description:
        'Let another coding agent review a change of this repository. Without a change, base or diff: the working tree against HEAD. Returns the report, or the run to ask for with status.',
      inputSchema: z.object({
        change: z
          .string()
          .optional()
          .describe('A range (main..HEAD), a commit, branch:<name>, pr:<number> or the path of a diff.'),
        base: z.string().optional().describe('Review everything since this branch or commit.'),
        diff: z.string().min(1).optional().describe('Review this diff, as git makes it.'),
        staged: z.boolean().optional().describe('Review the staged changes.'),
        paths: z.array(z.string()).optional().describe('Review only these files and folders.'),
        focus: z.string().optional().describe('What the review should focus on.'),
        effort: z.enum(['quick', 'standard', 'deep']).optional(),
        fail_on: z.enum([...severities, 'never']).optional(),
        advisor,
        lead,
        wait_seconds: waitSeconds,
      }),
      annotations: startsRun,
    },
    ({ wait_seconds, ...words }, context) => start(reviewOf(words), wait_seconds, context),
  );
  server.registerTool(
    'consult',
    {
      title: 'Consult the advisor',
      description:
        'Ask the advisor about requirements, a design or an implementation. It reads a copy of the working tree. Write your plan and your question.',
      inputSchema: z.object({
        phase: z.enum(consultPhases),
        brief: z.string().min(1).describe('Your plan and your question, as Markdown.'),
        run: run.optional().describe('An earlier consult to continue.'),
        advisor,
        wait_seconds: waitSeconds,
      }),
      annotations: startsRun,
    },
    ({ wait_seconds, ...words }, context) => start({ kind: 'consult', ...words }, wait_seconds, context),
  );
  server.registerTool(
    'run',
    {
      title: 'Run a task in phases',
      description:
        'Let a lead and an advisor carry out a task in phases, in a copy of the repository. A person accepts its gates, and brings the work into the files with collab apply.',
      inputSchema: z.object({
        task: z.string().min(1).describe('The task, as Markdown.'),
        phases: z.array(z.enum(phases)).optional().describe('Only these phases.'),
        max_review_rounds: z.int().min(0).max(9).optional(),
        advisor,
        lead,
        wait_seconds: waitSeconds,
      }),
      annotations: startsRun,
    },
    ({ wait_seconds, ...words }, context) => start({ kind: 'run', ...words }, wait_seconds, context),
  );
  server.registerTool(
    'fix',
    {
      title: 'Fix findings',
      description:
        'Let the lead fix findings of a review in a copy; the result is reviewed again. A person brings it into the files with collab apply.',
      inputSchema: z.object({
        run: run.optional().describe('The review; default: the newest.'),
        findings: z.array(z.string()).optional().describe('Their numbers, such as F1.'),
        all_critical: z.boolean().optional().describe('Fix all Critical findings that count.'),
        advisor,
        lead,
        wait_seconds: waitSeconds,
      }),
      annotations: startsRun,
    },
    ({ wait_seconds, ...words }, context) => start({ kind: 'fix', ...words }, wait_seconds, context),
  );
  server.registerTool(
    'status',
    {
      title: 'Status of a run',
      description:
        'Wait for a run: its question, its report when it has ended, or that it is still running. Call it again while it runs.',
      inputSchema: z.object({ run: run.default('latest'), wait_seconds: waitSeconds }),
      annotations: readOnly,
    },
    ({ run: wanted, wait_seconds }, { mcpReq }) =>
      answering(runs, async () => {
        const wait = waitOf(runs, wait_seconds, mcpReq.signal);
        return waited(runs, await findRun(runs, wanted), wait);
      }),
  );
  server.registerTool(
    'answer',
    {
      title: 'Question of a run',
      description:
        'Answer the question of a waiting run and continue it. If the question is a gate, the person at this host is asked instead, and your answer is not used.',
      inputSchema: z.object({
        run,
        answer: z.string().default('').describe('The answer, in the form that the question names.'),
        wait_seconds: waitSeconds,
      }),
      annotations: startsRun,
    },
    ({ run: wanted, answer, wait_seconds }, context) =>
      answering(runs, () => answered(server, runs, { wanted, answer, seconds: wait_seconds, context })),
  );
  server.registerTool(
    'findings',
    {
      title: 'Findings of a review',
      description:
        'List the findings of a review, a run or a fix that has ended, with places, reasons and fixes.',
      inputSchema: z.object({ run: run.default('latest') }),
      annotations: readOnly,
    },
    ({ run: wanted }) => answering(runs, () => findingsOf(runs, wanted)),
  );
  server.registerTool(
    'cancel',
    {
      title: 'Cancel a run',
      description: 'End a run permanently. Its findings and edits so far are kept.',
      inputSchema: z.object({ run }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ run: wanted }) =>
      answering(runs, async () => {
        const found = await findRun(runs, wanted);
        await cancelSoon(runs, found);
        return toldOf(runs, found);
      }),
  );
}

/** Returns before hosts cut the call off: a run whose agent is slow to stop is still running then. */
async function cancelSoon(runs: CallerRuns, found: OpenedRun): Promise<void> {
  const over = new AbortController();
  const late = runs.clock.sleep(usualWaitSeconds * 1000, over.signal).catch(() => undefined);
  await Promise.race([runs.cancel(found), late]).finally(() => over.abort());
}

/** A refusal is an answer that the agent reads; it has no stack. */
async function answering(runs: CallerRuns, act: () => Promise<Told>): Promise<Told> {
  try {
    return await act();
  } catch (error) {
    const { message, hint } = runs.refusalOf(error);
    const text = [printable(message), ...(hint === null ? [] : [hint])].join('\n');
    return { ...said(text), isError: true };
  }
}

/** @throws CollabError `run_not_found` */
function findRun({ engine, home }: CallerRuns, wanted: string): Promise<OpenedRun> {
  return engine.find(home, wanted);
}

interface ReviewWords extends Pick<
  ReviewStart,
  'paths' | 'focus' | 'effort' | 'fail_on' | 'advisor' | 'lead'
> {
  readonly change?: string | undefined;
  readonly base?: string | undefined;
  readonly diff?: string | undefined;
  readonly staged?: boolean | undefined;
}

function reviewOf({ change, base, diff, staged, ...words }: ReviewWords): ReviewStart {
  const changes: ReviewStart['changes'] = [
    ...(change === undefined ? [] : [{ kind: 'argument', words: change } as const]),
    ...(base === undefined ? [] : [{ kind: 'base', ref: base } as const]),
    ...(diff === undefined ? [] : [{ kind: 'stdin', text: diff } as const]),
    ...(staged === true ? [{ kind: 'staged' } as const] : []),
  ];
  return { kind: 'review', changes, ...words };
}

/** The time that a call may take, from its beginning. */
interface Wait {
  readonly until: number;
  /** Fires when the caller leaves. */
  readonly left: AbortSignal;
}

function waitOf({ clock }: CallerRuns, seconds: number, left: AbortSignal): Wait {
  return { until: clock.now() + seconds * 1000, left };
}

async function waited(runs: CallerRuns, found: OpenedRun, { until, left }: Wait): Promise<Told> {
  const ms = Math.ceil(until - runs.clock.now());
  if (ms > 0) await withTimeLimit(ms, left, (limited) => runs.waitWhileDriven(found, limited));
  return toldOf(runs, found);
}

async function toldOf(runs: CallerRuns, found: OpenedRun): Promise<Told> {
  return said(await reportRun(runs, found));
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

interface AnswerCall {
  readonly wanted: string;
  readonly answer: string;
  readonly seconds: number;
  readonly context: ServerContext;
}

async function answered(
  server: McpServer,
  runs: CallerRuns,
  { wanted, answer, seconds, context }: AnswerCall,
): Promise<Told> {
  const wait = waitOf(runs, seconds, context.mcpReq.signal);
  const found = await findRun(runs, wanted);
  const [question] = (await runs.engine.status(found)).open;
  let words = answer;
  if (question !== undefined && isForPerson(question)) {
    requireMay(runs.host.behind, { does: 'decide at a gate' }, 'a gate');
    const gate = gateOfRun(runs, found, question);
    const decision = decisionIn(server, context, gate);
    if (decision.kind === 'unasked') return askPerson(gate);
    if (decision.kind !== 'made') throw undecided(runs, found, decision.kind);
    ({ words } = decision);
  }
  await runs.answer(found, words);
  return followsTasks(context) ? taskOf(found, runs) : waited(runs, found, wait);
}

function undecided({ byHand }: CallerRuns, { runId }: OpenedRun, kind: 'declined' | 'no_forms'): CollabError {
  const why = kind === 'declined' ? 'the person has not decided' : 'this host cannot ask the person';
  return new CollabError('forbidden', `the gate of ${runId} stays closed: ${why}`, {
    hint: `Ask the person to decide: ${byHand.answer(runId)}`,
  });
}

async function findingsOf(runs: CallerRuns, wanted: string): Promise<Told> {
  const found = await findRun(runs, wanted);
  const result = await runs.engine.result(found);
  if (result === null || result.state !== 'ended') {
    throw new CollabError('input', `${found.runId} has not ended`, {
      hint: `Call status with run ${found.runId}.`,
    });
  }
  if (result.schema === 'collab.consult/v1') {
    throw new CollabError('usage', `${found.runId} is a consult: it has no findings`, {
      hint: 'Call status: its report is the answer.',
    });
  }
  const { run_id, outcome, findings } = result;
  return said(`run: ${run_id}\noutcome: ${outcome ?? 'none'}\n\n${renderWorkOrder(findings)}`);
}
