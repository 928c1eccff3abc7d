import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
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
