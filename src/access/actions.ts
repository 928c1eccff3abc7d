/**
 * Maps each route, tool, command and key of a request to its actions in the table of permissions. A test compares each
 * list with the registry it describes: a new name without a row fails the build. Each row of
 * `src/config/settings-table.ts` names the action of its setting.
 */
import type { Act, Deed } from './permissions.ts';

type Deeds = Readonly<Record<string, Deed>>;

const tenant = '/api/tenants/:tenant';
const base = `${tenant}/conversations/:conversation`;

/**
 * Actions by method and path, as the server registers them. A route that starts a run is also judged by what the
 * request asks for.
 */
export const routes = {
  'GET /': 'reach the server',
  'GET /api/health': 'reach the server',
  'GET /api/ready': 'reach the server',
  'GET /metrics': 'read the numbers of all runs',
  'GET /openapi.json': 'reach the server',
  'GET /api/session': 'reach the server',
  'POST /api/session': 'reach the server',
  'DELETE /api/session': 'reach the server',
  [`POST ${tenant}/mcp`]: 'steer own runs',
  /** The list has only the agents that the caller may choose. */
  [`GET ${tenant}/agents`]: 'read own runs',
  /** The route itself also requires the right to read the repository, which it names. */
  [`GET ${tenant}/branches`]: 'read own runs',
  [`GET ${tenant}/conversations`]: 'read own runs',
  [`GET ${base}`]: 'read own runs',
  [`POST ${base}/stream`]: 'steer own runs',
  [`GET ${base}/stream`]: 'read own runs',
  [`POST ${base}/cancel`]: 'steer own runs',
  [`POST ${base}/runs`]: 'steer own runs',
  [`GET ${base}/runs`]: 'read own runs',
  [`GET ${base}/runs/:run`]: 'read own runs',
  [`GET ${base}/runs/:run/diff`]: 'read own runs',
  [`GET ${base}/runs/:run/blobs/:digest`]: 'read own runs',
  [`GET ${base}/runs/:run/events`]: 'read own runs',
  [`GET ${base}/runs/:run/file`]: 'read own runs',
  [`GET ${base}/runs/:run/dismissals`]: 'read own runs',
  [`POST ${base}/runs/:run/dismissals`]: 'dismiss a finding',
  [`POST ${base}/runs/:run/answers/:name{.+}`]: 'steer own runs',
  [`POST ${base}/runs/:run/cancel`]: 'steer own runs',
} as const satisfies Deeds;

/** Actions by full tool name. */
export const tools = {
  Read: 'use a tool that only reads',
  LS: 'use a tool that only reads',
  Glob: 'use a tool that only reads',
  Grep: 'use a tool that only reads',
  GitDiff: 'use a tool that only reads',
  GitLog: 'use a tool that only reads',
  GitShow: 'use a tool that only reads',
  Edit: 'use a tool that changes',
  Write: 'use a tool that changes',
  Bash: 'run a command',
  WebFetch: 'use a tool that fetches',
} as const satisfies Deeds;

/** The protocol commands that a message can start. */
export const starts = {
  review: 'start a review',
  consult: 'start a consult',
  run: 'start a run of phases',
  /** The lead edits in a copy, as in a run of phases. */
  fix: 'start a run of phases',
} as const satisfies Deeds;

/** The kinds of change that can be reviewed. */
export const changes = {
  stdin: 'send a diff',
  range: 'read the repository',
  base: 'read the repository',
  staged: 'read the repository',
  commit: 'read the repository',
  working_tree: 'read the repository',
  /** A pull request of any repository that the owner's login reads. */
  pull_request: 'read a pull request',
  file: 'name a path',
} as const satisfies Deeds;

const configurationFiles = {
  config: 'name a path',
  config_from: 'name a path',
} as const;

/**
 * The keys of a request for a run, by kind, in addition to the settings: `src/config/settings-table.ts` has the action
 * of each setting. `task_file` is the flag `--task-file`; a change is judged by its own kind.
 */
export const requests = {
  review: {
    ...configurationFiles,
    ask: 'word and narrow',
    paths: 'word and narrow',
    baseline: 'name a path',
    pr_text: 'name a path',
    evidence: 'name a path',
    imports: 'name a path',
    priority: 'word and narrow',
  },
  run: {
    ...configurationFiles,
    task: 'word and narrow',
    task_file: 'name a path',
    phases: 'word and narrow',
    yes: 'accept every gate',
    max_review_rounds: 'word and narrow',
    skill: 'name a path',
    apply: 'bring edits into the files',
    priority: 'word and narrow',
  },
  fix: {
    ...configurationFiles,
    run: 'read own runs',
    from: 'name a path',
    result: 'name a path',
    findings: 'word and narrow',
    all_critical: 'word and narrow',
    yes: 'accept every gate',
    max_review_rounds: 'word and narrow',
    apply: 'bring edits into the files',
  },
  consult: {
    ...configurationFiles,
    phase: 'word and narrow',
    brief: 'word and narrow',
    file: 'name a path',
    run: 'read own runs',
    ask: 'word and narrow',
    priority: 'word and narrow',
  },
} as const satisfies Readonly<Record<keyof typeof starts, Deeds>>;

/** The other commands; `tools` and `chat` run tools for the person who types them. @internal */
export const commands = {
  acp: 'use the command line',
  answer: 'use the command line',
  apply: 'use the command line',
  cancel: 'use the command line',
  chat: 'use the command line',
  check: 'use the command line',
  clean: 'use the command line',
  comment: 'use the command line',
  demo: 'use the command line',
  dismiss: 'dismiss a finding',
  doctor: 'use the command line',
  engine: 'use the command line',
  gate: 'use the command line',
  init: 'use the command line',
  mcp: 'use the command line',
  open: 'use the command line',
  provider: 'use the command line',
  publish: 'use the command line',
  report: 'use the command line',
  resume: 'use the command line',
  runs: 'use the command line',
  serve: 'use the command line',
  show: 'use the command line',
  stats: 'use the command line',
  trace: 'use the command line',
  status: 'use the command line',
  tools: 'use the command line',
  wait: 'use the command line',
  worker: 'use the command line',
} as const satisfies Deeds;

const conversationFlags = {
  '--json': 'choose what is shown',
  '--config': 'name a path',
  '--config-from': 'name a path',
} as const satisfies Deeds;

/**
 * The flags of the commands with conversations, in addition to the settings: they decide which callers reach the server, and what a token opens.
 *
 * @internal Compared with the commands by a test.
 */
export const commandFlags = {
  chat: {
    '--resume': 'read own runs',
    ...conversationFlags,
    '--ascii': 'choose what is shown',
  },
  serve: {
    '--port': 'use the command line',
    '--host': 'use the command line',
    '--allow-host': 'use the command line',
    '--allow-origin': 'use the command line',
    '--require-token': 'use the command line',
    '--no-messages': 'choose what is shown',
    '--log': 'choose what is shown',
    '--remote': 'use the command line',
    '--engine': 'use the command line',
    ...conversationFlags,
  },
  'serve token create': {
    '--tenant': 'use the command line',
    '--label': 'use the command line',
    '--expires': 'use the command line',
    '--may': 'use the command line',
    '--json': 'choose what is shown',
  },
  'serve token list': { '--json': 'choose what is shown' },
  'serve token revoke': {},
} as const satisfies Readonly<Record<string, Deeds>>;

export function toolAction(name: string): Act | null {
  return actionIn(tools, name, name);
}

/** Returns null for a name without a row: only the owner may use it. */
export function actionIn(deeds: Deeds, name: string, what?: string): Act | null {
  const does = Object.hasOwn(deeds, name) ? deeds[name] : undefined;
  return does === undefined ? null : { does, ...(what === undefined ? {} : { what }) };
}
