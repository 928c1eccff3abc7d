/** The input and output of each route, for the published document. A test compares it with the actual routes. */
import { z } from 'zod';
import { agentListSchema, branchListSchema } from './choice-routes.ts';
import { conversationDetailsSchema, conversationListSchema } from './conversation-routes.ts';
import { pageQuerySchema } from './paging.ts';
import { answerSchema } from '../runs/run-answer.ts';
import { runFieldsSchema } from './run-fields.ts';
import { runListSchema } from './run-routes.ts';
import { dismissalRequestSchema, dismissalsSchema, dismissedSchema } from '../runs/run-dismissals.ts';
import { fileQuerySchema } from '../runs/run-file.ts';
import { runDetailsSchema } from '../runs/run-view.ts';
import { sessionRequestSchema, sessionSchema } from '../access/session-routes.ts';
import { mcpMessageSchema } from './mcp-routes.ts';
import { cancelSchema } from './stream-routes.ts';
import { streamRequestSchema } from './stream-request.ts';

export interface RouteDoc {
  readonly method: 'get' | 'post' | 'delete';
  /** In OpenAPI syntax. */
  readonly path: string;
  readonly summary: string;
  /** True if it needs no token, on any address. */
  readonly isOpen?: boolean;
  readonly query?: z.ZodObject;
  /** Describes the position at which a stream resumes; a header can also carry it. */
  readonly after?: string;
  readonly body?: {
    readonly schema: z.ZodType;
    readonly types: readonly string[];
    readonly isOptional?: boolean;
  };
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Statuses of problem documents, in addition to those that every route may return. */
  readonly problems: readonly number[];
  /** Statuses whose body may be an error of JSON-RPC instead. */
  readonly rpcErrors?: readonly number[];
}

interface RouteAnswer {
  readonly description: string;
  readonly type?: string;
  readonly schema?: z.ZodType;
  /** True if the body may be an event stream instead. */
  readonly orStream?: boolean;
}

const tenant = '/api/tenants/{tenant}';
const base = `${tenant}/conversations/{conversation}`;
const run = `${base}/runs/{run}`;
const json = ['application/json'];
const asJson = (description: string, schema: z.ZodType): RouteAnswer => ({
  description,
  type: 'application/json',
  schema,
});
const stream = (description: string): RouteAnswer => ({ description, type: 'text/event-stream' });
const text = (description: string): RouteAnswer => ({ description, type: 'text/plain' });
const statusSchema = z.object({ status: z.string() });

export const routeDocs: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/api/health',
    summary: 'Whether the server answers',
    isOpen: true,
    answers: { 200: asJson('It does', z.object({ status: z.literal('ok'), version: z.string() })) },
    problems: [],
  },
  {
    method: 'get',
    path: '/api/ready',
    summary: 'Whether the server can serve runs: with `--engine`, whether the database answers',
    isOpen: true,
    answers: { 200: asJson('It can', z.object({ status: z.literal('ready'), version: z.string() })) },
    problems: [503],
  },
  {
    method: 'get',
    path: '/metrics',
    summary:
      'The numbers of all runs in the text format of Prometheus, for the owner alone (references/observe.md)',
    answers: { 200: text('Counters, gauges and a histogram') },
    problems: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    isOpen: true,
    answers: { 200: asJson('OpenAPI 3.1', z.looseObject({ openapi: z.string() })) },
    problems: [],
  },
  {
    method: 'get',
    path: '/api/session',
    summary: 'Who the caller is',
    isOpen: true,
    answers: { 200: asJson('The tenant that the caller may use', sessionSchema) },
    problems: [401],
  },
  {
    method: 'post',
    path: '/api/session',
    summary: 'Exchange a token for a cookie',
    isOpen: true,
    body: { schema: sessionRequestSchema, types: json },
    answers: { 200: asJson('The cookie is set', sessionSchema) },
    problems: [400, 401, 413, 415, 422],
  },
  {
    method: 'delete',
    path: '/api/session',
    summary: 'End the session and remove the cookie',
    isOpen: true,
    answers: { 204: { description: 'There is no session anymore' } },
    problems: [],
  },
  {
    method: 'post',
    path: `${tenant}/mcp`,
    summary: 'The Model Context Protocol over Streamable HTTP, without sessions (references/mcp.md)',
    body: { schema: mcpMessageSchema, types: json },
    answers: {
      200: { ...asJson('The answer of the protocol', mcpMessageSchema), orStream: true },
      202: { description: 'The message needs no answer' },
    },
    problems: [409, 413],
    rpcErrors: [400, 404, 406, 415],
  },
  {
    method: 'get',
    path: `${tenant}/agents`,
    summary: 'The agents that the caller may choose, and whether each can work now',
    answers: { 200: asJson('The agents', agentListSchema) },
    problems: [],
  },
  {
    method: 'get',
    path: `${tenant}/branches`,
    summary: 'The branches of the served repository, newest commit first, for callers that may read it',
    answers: { 200: asJson('The branches; none outside of a repository', branchListSchema) },
    problems: [422],
  },
  {
    method: 'get',
    path: `${tenant}/conversations`,
    summary: 'The conversations of a tenant, most recently changed first',
    query: pageQuerySchema,
    answers: { 200: asJson('A page of the list', conversationListSchema) },
    problems: [422],
  },
  {
    method: 'get',
    path: base,
    summary: 'A conversation: its newest runs and its messages',
    answers: { 200: asJson('The conversation', conversationDetailsSchema) },
    problems: [],
  },
  {
    method: 'post',
    path: `${base}/stream`,
    summary: 'Send a message or start a run with a slash command, and follow it (specification 002)',
    body: { schema: streamRequestSchema, types: ['multipart/form-data', 'application/json'] },
    answers: { 200: stream('The events of the run; a refusal is an error and a done event') },
    problems: [400, 413, 415, 422, 429],
  },
  {
    method: 'get',
    path: `${base}/stream`,
    summary: 'Resume a stream after an event',
    after: 'The id of the last event: <run_id>:<seq>; without it, the newest run from its beginning',
    answers: { 200: stream('The events that follow'), 204: { description: 'Everything was delivered' } },
    problems: [],
  },
  {
    method: 'post',
    path: `${base}/cancel`,
    summary: 'End the active run of a conversation',
    body: { schema: cancelSchema, types: json, isOptional: true },
    answers: { 202: asJson('It ends', statusSchema) },
    problems: [409, 413, 415, 422],
  },
  {
    method: 'post',
    path: `${base}/runs`,
    summary: 'Start a review or the work on a task; the fields are the flags of the command line',
    body: { schema: runFieldsSchema, types: json },
    answers: { 201: asJson('The run has started', z.object({ run_id: z.string() })) },
    problems: [409, 413, 415, 422, 429, 503],
  },
  {
    method: 'get',
    path: `${base}/runs`,
    summary: 'The runs of a conversation, newest first',
    query: pageQuerySchema,
    answers: { 200: asJson('A page of the list', runListSchema) },
    problems: [422],
  },
  {
    method: 'get',
    path: run,
    summary: 'A run: its state, its result and its questions',
    answers: { 200: asJson('The run', runDetailsSchema) },
    problems: [],
  },
  {
    method: 'get',
    path: `${run}/diff`,
    summary: 'The change under review, secrets masked',
    answers: { 200: text('A unified diff') },
    problems: [],
  },
  {
    method: 'get',
    path: `${run}/file`,
    summary: 'A whole file of the change under review, as the review kept it, secrets masked',
    query: fileQuerySchema,
    answers: { 200: text('The file after the change') },
    problems: [409, 422],
  },
  {
    method: 'get',
    path: `${run}/blobs/{digest}`,
    summary: 'A large text of a run by its SHA-256, such as a prompt, secrets masked',
    answers: { 200: text('The text') },
    problems: [],
  },
  {
    method: 'get',
    path: `${run}/events`,
    summary: 'The records of a run, as they are written',
    after: 'The id of the last record',
    answers: {
      200: stream('One record per event, without a name'),
      204: { description: 'Everything was delivered' },
    },
    problems: [],
  },
  {
    method: 'get',
    path: `${run}/dismissals`,
    summary: 'The findings of a run that were dismissed, and those that the caller may dismiss',
    answers: { 200: asJson('The dismissals', dismissalsSchema) },
    problems: [],
  },
  {
    method: 'post',
    path: `${run}/dismissals`,
    summary: 'Dismiss a finding: it does not count in later reviews of the repository',
    body: { schema: dismissalRequestSchema, types: json },
    answers: {
      200: asJson('It was dismissed before', dismissedSchema),
      201: asJson('It is dismissed', dismissedSchema),
    },
    problems: [409, 413, 415, 422],
  },
  {
    method: 'post',
    path: `${run}/answers/{name}`,
    summary: 'Answer a question of a run; the run then continues',
    body: { schema: answerSchema, types: json },
    answers: { 202: asJson('The answer is recorded', statusSchema) },
    problems: [409, 413, 415, 422],
  },
  {
    method: 'post',
    path: `${run}/cancel`,
    summary: 'End a run',
    answers: { 202: asJson('It ends', statusSchema) },
    problems: [409, 413],
  },
];
