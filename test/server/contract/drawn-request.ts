/** Draws requests to documented routes: each part is right, wrong or odd, independently of the others. */
import { smallDiff } from '../../../src/runs/rehearsed-review.test-helper.ts';
import { mostUploadBytes } from '../../../src/server/routes/limits.ts';
import { mostJsonBytes } from '../../../src/server/routes/read-body.ts';
import { executor } from '../../../src/server/served.test-helper.ts';
import { keptConversation, type Caller, type ContractWorld, type Place } from './contract-world.ts';
import type { DocumentedRoute } from './documented-api.ts';
import { drawBody, pick, type BodyPlan, type DrawnBody, type Next } from './drawn-body.ts';
import type { SentRequest } from './send-request.ts';

export interface DrawnRequest extends SentRequest {
  readonly caller: Caller;
  /** The tenant that the path names. */
  readonly tenant: string | undefined;
  readonly body: DrawnBody | null;
}

/** @param shape of the body; default: any */
export function drawRequest(
  world: ContractWorld,
  route: DocumentedRoute,
  next: Next,
  shape?: string,
): DrawnRequest {
  const caller = pick([...world.callers.slice(0, 4), ...world.callers], next);
  const place = drawPlace(world, route, caller, next);
  const ids = new Map(Object.entries(place).map(([name, id]) => [name, drawId(world, name, id, next)]));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids.get(name) ?? 'absent');
  const { query, headers } = drawParameters(place, route, next);
  return {
    method: route.method,
    path: `${path}${query}`,
    headers: { ...caller.headers, ...headers, accept: 'application/json, text/event-stream' },
    caller,
    tenant: route.path.includes('{tenant}') ? ids.get('tenant') : undefined,
    body: route.method === 'POST' ? drawBody(planOf(world, place, route), next, shape) : null,
  };
}

/**
 * Mostly one that the caller may see. A run can only be started in a conversation that does not wait, and only one run has
 * files and a finding.
 */
function drawPlace(
  { places }: ContractWorld,
  { path, method }: DocumentedRoute,
  caller: Caller,
  next: Next,
): Place {
  const all = fittingPlaces(places(), `${method} ${path}`);
  const own = all.filter(({ tenant }) => caller.tenants.includes(tenant));
  return pick(next() % 4 === 3 || own.length === 0 ? all : own, next);
}

function fittingPlaces(places: readonly Place[], route: string): readonly Place[] {
  if (/^POST .*\/runs$/.test(route)) return places.slice(1);
  return /\/(?:file|dismissals)$/.test(route)
    ? places.toSorted((one, other) => keptFirst(one) - keptFirst(other))
    : places;
}

function keptFirst({ conversation }: Place): number {
  return conversation === keptConversation ? 0 : 1;
}

function drawId({ places }: ContractWorld, name: string, id: string, next: Next): string {
  switch (next() % 16) {
    case 15:
      return pick(oddIds, next);
    case 14:
      return name === 'digest' ? '0'.repeat(64) : 'absent';
    case 13:
      return Object.entries(pick(places(), next)).find(([known]) => known === name)?.[1] ?? id;
    default:
      return id;
  }
}

/** As they are on the wire. Segments of dots alone are absent: they are resolved first, and so name another route. */
const oddIds = [
  '',
  '...',
  '..%2f..%2fetc',
  '%252e%252e%252f',
  '..%5c..',
  'a%00b',
  'a%0d%0ab',
  '%ff',
  'a%zz',
  '%',
  'a'.repeat(128),
  'a'.repeat(129),
  '%E6%97%A5%E6%9C%AC',
  'a%20b',
  '*',
  ':run',
  '{run}',
  '__proto__',
  'constructor',
  'a;b',
  "'",
  'A-._~0',
  'F'.repeat(64),
];

const oddQueries: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '50', '999', '0', '1000', '-1', '1.5', 'abc', '', '%00', '1&limit=x'],
  path: [
    'total.ts',
    'src/total.ts',
    '../total.ts',
    '',
    '%00',
    '%ff',
    '.env',
    'x'.repeat(4097),
    'total.ts&path=x',
  ],
  before: ['', 'zzzz', '2026', '%ff', '%', 'x'.repeat(400), 'x'.repeat(401), '%F0%9F%91%8B'],
};

function drawParameters({ run }: Place, { parameters }: DocumentedRoute, next: Next) {
  const positions = [
    `${run}:0`,
    `${run}:1`,
    `${run}:99999`,
    run,
    '0',
    '1',
    '3',
    '99999',
    '-1',
    '1e3',
    '9'.repeat(20),
    'x',
    ':',
    '',
  ];
  const query: string[] = pick([[], [], [], ['unknown=1']], next);
  const headers: Record<string, string> = {};
  for (const { name, in: where, required } of parameters) {
    if (where === 'path') continue;
    const draw = next() % 3;
    // Only sometimes: the others, and not one that is required.
    if (required ? draw === 1 : draw !== 2) continue;
    const value = pick(oddQueries[name] ?? positions, next);
    if (where === 'header') headers[name] = value;
    else query.push(`${name}=${value}`);
  }
  return { query: query.length === 0 ? '' : `?${query.join('&')}`, headers };
}

const review = { kind: 'review', input: { diff: smallDiff } };
const message = { user_input: 'Hello?', executor };

function planOf({ token }: ContractWorld, { run }: Place, { path }: DocumentedRoute): BodyPlan {
  const json = { mostBytes: mostJsonBytes, takesForm: false };
  const upload = { mostBytes: mostUploadBytes, takesForm: path.endsWith('/stream') };
  if (path.endsWith('/session'))
    return { examples: [{ token }, { token: 'x' }], mostBytes: 4096, takesForm: false };
  if (path.endsWith('/answers/{name}')) return { ...json, examples: answers };
  if (path.endsWith('/dismissals')) return { ...json, examples: dismissals };
  if (path.endsWith('/cancel'))
    return { ...json, examples: [{}, { run_id: run }, { run_id: 'absent' }, { run_id: null }] };
  if (path.endsWith('/mcp')) return { ...upload, examples: mcpMessages(run) };
  return { ...upload, examples: path.endsWith('/runs') ? starts : messages };
}

function mcpMessages(run: string): readonly object[] {
  const request = { jsonrpc: '2.0', id: 1 };
  const call = (name: string, args: object): object => ({
    ...request,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const clientInfo = { name: 'host', version: '1' };
  return [
    call('status', { run, wait_seconds: 0 }),
    call('findings', { run }),
    call('answer', { run: 'absent', answer: 'yes' }),
    call('review', { diff: 'no diff', wait_seconds: 0 }),
    { ...request, method: 'tools/list' },
    { ...request, method: 'resources/read', params: { uri: `collab://runs/${run}/result` } },
    {
      ...request,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    },
    {
      ...request,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
}

const dismissals = [
  { finding: 'F1', reason: 'as agreed' },
  { finding: '1', reason: '合意済み' },
  { finding: 'F9', reason: 'no' },
];

const answers = [{ value: { CONTEXT: 'Euros.' } }, { value: '## CONTEXT\n\nEuros.' }, { value: 'yes' }];

const starts = [
  review,
  { ...review, advisor: 'static_review', fail_on: 'minor', include: ['src/**'], time_limit: '20m' },
  { ...review, budget_usd: 1, budget_tokens: 10, concurrency: 2, rules: 'all', cache: false },
  { kind: 'review', input: {} },
  { kind: 'review', input: { range: 'HEAD~9..HEAD' } },
  { kind: 'review', input: { commit: 'HEAD' } },
  { kind: 'review', input: { staged: true }, allow_empty: true },
  { kind: 'run', task: 'Write one.', phases: ['requirements'], yes: true, max_review_rounds: 1 },
];

const messages = [
  message,
  { ...message, tokens: { 'git-hub': 'secret-of-the-test' }, preferred_skills: [], on_disconnect: 'cancel' },
  { ...message, preferred_skills: ['absent'], executor: { ...executor, employee_id: '7' } },
  { ...message, user_input: '/review' },
  { ...message, user_input: '/read total.ts' },
  { ...message, user_input: '/consult design Is it sound?' },
];
