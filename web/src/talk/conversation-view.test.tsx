// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  body,
  hanging,
  numbered,
  wholeRun,
  wire,
  streamed,
} from '../../../src/client/scripted-server.test-helper.ts';
import type { StreamingEvent } from '../../../src/views/stream/event.ts';
import { ConversationList } from '../shell/conversation-list.tsx';
import { ServerProvider } from '../server/server-context.tsx';
import { ConversationView } from './conversation-view.tsx';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The outcomes of a message: the server is away, refuses it before a run begins, or accepts it. */
const fates = {
  away: () => {
    throw new TypeError('Failed to fetch');
  },
  refused: () => new Response('{}', { status: 503 }),
  locked: () => streamOf([refusal, ...wholeRun.filter(({ event }) => event === 'done')]),
  taken: () => streamOf(wholeRun),
  answered: () => streamed(hanging([wire(wholeRun.slice(0, -1))])),
};

const refusal: StreamingEvent = {
  event: 'error',
  data: {
    seq: 1,
    timestamp: '2026-11-21T09:30:00.000000Z',
    error_type: 'conversation_locked',
    message: 'A run goes on.',
    recoverable: true,
  },
};

function streamOf(events: readonly StreamingEvent[]): Response {
  const headers = { 'content-type': 'text/event-stream' };
  return streamed(body([wire(numbered(events))]), { headers });
}

function open(
  fate: keyof typeof fates,
  kept: () => object | null = () => null,
  listed: () => readonly object[] = () => [],
) {
  cleanup();
  const posted: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.includes('/conversations?')) return asJson({ conversations: listed(), next: null });
    if (init.method === 'GET' && url.includes('/stream')) return fates[fate]();
    if (init.method !== 'POST') return asJson(kept());
    posted.push(init.body);
    return fates[fate]();
  });
  const choice = { forget: () => undefined, logOut: () => Promise.resolve() };
  render(
    <ServerProvider session={{ tenant: 't', version: '1' }} isLoggedOut={false} choice={choice}>
      <ConversationList current="c" />
      <ConversationView conversation="c" />
    </ServerProvider>,
  );
  const field = screen.getByLabelText<HTMLTextAreaElement>('Your message');
  return { posted, field };
}

function asJson(answer: object | null): Response {
  return new Response(JSON.stringify(answer), { status: answer === null ? 404 : 200 });
}

function send(field: HTMLTextAreaElement): void {
  fireEvent.change(field, { target: { value: 'Keep me.' } });
  fireEvent.keyDown(field, { key: 'Enter' });
}

test.each(['away', 'refused', 'locked'] as const)(
  'a message to a server that is %s returns to its field with an error, and is sent again by Enter',
  async (fate) => {
    const { posted, field } = open(fate);
    send(field);
    expect(field.value).toBe('');
    await vi.waitFor(() => expect(field.value).toBe('Keep me.'));
    expect(screen.getByRole('alert').textContent).toContain('This was not sent.');
    expect(screen.queryByText('Keep me.', { selector: '.message p' })).toBeNull();
    fireEvent.keyDown(field, { key: 'Enter' });
    await vi.waitFor(() => expect(posted).toHaveLength(2));
    await vi.waitFor(() => expect(field.value).toBe('Keep me.'));
    expect(open(fate).field.value).toBe('Keep me.');
  },
);

test('a message that arrived is not returned to the field, even after a reload', async () => {
  const { field } = open('taken');
  send(field);
  await screen.findByText(/Tokens/);
  expect([field.value, screen.queryByRole('alert')]).toEqual(['', null]);
  expect(open('taken').field.value).toBe('');
});

test('an unsent text survives a reload', () => {
  const { field } = open('taken');
  fireEvent.change(field, { target: { value: 'Half a' } });
  expect(open('taken').field.value).toBe('Half a');
});

test('a message is shown once, while it is answered and when the server already has it', async () => {
  const before = [said('user', 'Before.'), said('assistant', 'Answered.')];
  let messages = before;
  const { field } = open('answered', () => ({
    ...conversation,
    title: messages === before ? null : 'A title.',
    messages,
  }));
  await screen.findByText('Answered.');
  send(field);
  await screen.findByText(/こんにちは/);
  messages = [...before, said('user', 'Keep me.'), said('assistant', 'A part of it.')];
  fireEvent(document, new Event('visibilitychange'));
  await screen.findByText('A title.');
  expect(
    screen.getAllByText(/Keep me\.|Answered\.|A part of it\./).map(({ textContent }) => textContent),
  ).toEqual(['Answered.', 'Keep me.']);
});

test('a turn that another window started is read from its beginning, and its question is shown', async () => {
  const turn = { run_id: 'run-1', kind: 'turn', title: 'Asked there.', state: 'running' };
  open('answered', () => ({
    ...conversation,
    running_run_id: 'run-1',
    runs: [turn],
    messages: [said('user', 'Asked there.')],
  }));
  expect(await screen.findByText(/こんにちは/)).toBeTruthy();
  expect(screen.getAllByText('Asked there.', { selector: '.message p' })).toHaveLength(1);
});

test('an answer has its speaker’s name while it arrives and when it is complete', async () => {
  const { field } = open('answered');
  send(field);
  const answer = await screen.findByText(/こんにちは/);
  expect(answer.closest('.message')?.querySelector('.entry-head')?.textContent).toContain('Assistant');
});

test.each(['answered', 'taken'] as const)(
  'a new conversation is in the list as soon as its message is %s',
  async (fate) => {
    let listed: readonly object[] = [];
    const { field } = open(fate, undefined, () => listed);
    await screen.findByText('There is no conversation yet.');
    listed = [{ ...conversation, title: 'Keep me, in the list' }];
    send(field);
    expect(await screen.findByText('Keep me, in the list')).toBeTruthy();
  },
);

const conversation = {
  conversation_id: 'c',
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  running_run_id: null,
  can_continue: true,
  context: null,
  runs: [],
};

function said(role: string, content: string): object {
  return { role, content };
}
