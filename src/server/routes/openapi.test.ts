import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { createApplication } from './application.ts';
import { openConversations } from '../conversations/conversations.ts';
import { routeDocs } from './route-docs.ts';
import { createRunStreams } from '../streams/run-streams.ts';
import { openApiDocument } from './openapi.ts';
import { watchTokens } from '../access/valid-tokens.ts';
import { openEngine } from '../../runs/engine/open-engine.ts';
import { createRunManager } from '../runs/run-manager.ts';

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(openApiDocument('1.2.3')));
  expect([valid, errors]).toEqual([true, undefined]);
});

test('every route is documented, and every documented route exists', () => {
  const served = application()
    .routes.filter(({ method, path }) => method !== 'ALL' && /^\/(api\/|openapi|metrics)/.test(path))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`);
  const documented = routeDocs.map(({ method, path }) => `${method} ${path}`);
  expect(documented.toSorted()).toEqual([...new Set(served)].toSorted());
});

test('it is served without a token', async () => {
  const response = await application().request('/openapi.json', { headers: { host: 'localhost' } });
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument('1.2.3'))));
});

test('X002-25.1 the form that begins a run has its request and the files beside it', () => {
  const { paths } = openApiDocument('1.2.3');
  const stream = paths['/api/tenants/{tenant}/conversations/{conversation}/stream']?.['post'];
  expect(stream).toMatchObject({
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: {
            required: ['request_data'],
            properties: { request_data: { type: 'object' }, files: { type: 'array', maxItems: 10 } },
          },
        },
      },
    },
  });
});

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Contents }>
  >;
}

type Contents = Readonly<Record<string, { readonly schema: z.core.JSONSchema.BaseSchema }>>;

const operationSchema = z.custom<Operation>((value) => typeof value === 'object');
const operations = Object.entries(openApiDocument('1.2.3').paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method} ${path}`, operationSchema.parse(operation)] as const,
  ),
);

describe.each(operations)('%s', (route, { summary, parameters, requestBody, responses }) => {
  test('has a summary, and a description of each answer', () => {
    expect(summary).toMatch(/^\w/);
    for (const { description } of Object.values(responses)) expect(description).toMatch(/^[A-Z]/);
  });

  test('has the schema of each JSON body; other answers are texts', () => {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.entries(body?.content ?? {}),
    );
    const areTexts = bodies.map(([, { schema }]) => JSON.stringify(schema) === '{"type":"string"}');
    expect(areTexts).toEqual(bodies.map(([type]) => type.startsWith('text/')));
  });

  test('has a body exactly if it refuses other types of bodies', () => {
    expect(requestBody !== undefined).toBe('415' in responses);
  });

  test('requires each parameter of its path', () => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path' && parameter.required);
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(route.match(/\{\w+\}/g) ?? []);
  });
});

test('routes without a token are those of the start page; all others document its refusals', () => {
  const open = operations.filter(([, { security }]) => security.length === 0);
  expect(open.map(([route]) => route)).toEqual([
    'get /api/health',
    'get /api/ready',
    'get /openapi.json',
    'get /api/session',
    'post /api/session',
    'delete /api/session',
  ]);
  for (const [, { security, responses }] of operations) {
    const always = security.length > 0 ? ['400', '401', '403', '404', '500'] : ['403', '500'];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(always));
  }
});

test('the parameters beside the path page through lists, name a file, or resume a stream', () => {
  const others = operations.flatMap(([route, { parameters }]) => {
    const names = parameters
      .filter((parameter) => parameter.in !== 'path')
      .map(({ name, in: at, required }) => `${at} ${name}${required ? '' : '?'}`);
    return names.length === 0 ? [] : [`${route.replace(/.*\}/, '')}: ${names.join(', ')}`];
  });
  const page = 'query limit?, query before?';
  const place = 'header last-event-id?, query after?';
  expect(others).toEqual([
    `/conversations: ${page}`,
    `/stream: ${place}`,
    `/runs: ${page}`,
    '/file: query path',
    `/events: ${place}`,
  ]);
});

test('each route has a name of its own, and an answer that is no refusal', () => {
  const names = operations.map(([, { operationId }]) => operationId);
  expect(new Set(names).size).toBe(names.length);
  const answered = operations.filter(([, { responses }]) =>
    Object.keys(responses).some((status) => status < '300'),
  );
  expect(answered).toHaveLength(operations.length);
});

test('the body of a cancellation may be missing, every other body is required', () => {
  const optional = operations.filter(([, { requestBody }]) => requestBody?.required === false);
  expect(optional.map(([route]) => route.replace(/.*\}/, ''))).toEqual(['/cancel']);
});

test('answers are JSON, except those that are streams, texts or empty', () => {
  const others = operations.flatMap(([route, { responses }]) =>
    Object.entries(responses)
      .filter(
        ([status, { content = {} }]) => status < '300' && Object.keys(content).join() !== 'application/json',
      )
      .map(
        ([status, { content = {} }]) =>
          `${route.replace(/.*\}/, '')} ${status} ${Object.keys(content).join()}`,
      ),
  );
  expect(others).toEqual([
    'get /metrics 200 text/plain',
    'delete /api/session 204 ',
    '/mcp 200 application/json,text/event-stream',
    '/mcp 202 ',
    '/stream 200 text/event-stream',
    '/stream 200 text/event-stream',
    '/stream 204 ',
    '/diff 200 text/plain',
    '/file 200 text/plain',
    ' 200 text/plain',
    '/events 200 text/event-stream',
    '/events 204 ',
  ]);
});

test('a refusal of the Model Context Protocol may be an error of JSON-RPC', () => {
  const rpc = operations.flatMap(([route, { responses }]) =>
    Object.entries(responses)
      .filter(
        ([, { content = {} }]) => 'application/problem+json' in content && 'application/json' in content,
      )
      .map(([status]) => `${route.replace(/.*\}/, '')} ${status}`),
  );
  expect(rpc).toEqual(['/mcp 400', '/mcp 404', '/mcp 406', '/mcp 415']);
});

function application() {
  const clock = createManualClock();
  const conversations = openConversations(scratchFolder(), clock);
  const engine = openEngine({ clock });
  const streams = createRunStreams({ clock, engine, onFault });
  const tokens = watchTokens({ tokens: null, clock, onFault });
  const ports = { readLine: unread, startRun: unasked, openLead: unasked, probeAgents: unasked };
  const place = { cwd: '/', env: {}, ports };
  const shared = { ...place, conversations, engine, streams, tokens, clock, onFault, hidePaths: () => null };
  const runs = createRunManager({
    ...shared,
    providers: [],
    projection: {},
    turnLimitMs: null,
    isServerOpen: true,
  });
  const stopping = new AbortController().signal;
  const policy = {
    hosts: [],
    origins: [],
    providers: [],
    requiresToken: false,
    credentials: null,
    cookieName: 'collab',
  };
  return createApplication(
    { ...shared, runs, version: '1.2.3', pageFolder: scratchFolder(), stopping },
    policy,
  );
}

function onFault(error: unknown): never {
  throw error;
}

function unread(): never {
  throw new Error('nothing is read here');
}

function unasked(): Promise<never> {
  return Promise.reject(new Error('nothing is started here'));
}
