// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { OfferedAgent, OfferedBranches } from '../../../src/client/run-types.ts';
import { ServerProvider } from '../server/server-context.tsx';
import { ReviewForm } from './review-form.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const agents: readonly OfferedAgent[] = [
  { provider: 'codex', roles: ['advisor'], ready: false, detail: 'codex is missing', hint: 'npm install it' },
  { provider: 'claude_code', roles: ['lead', 'advisor'], ready: true, detail: '2.1', hint: null },
  { provider: 'static_review', roles: ['advisor'], ready: true, detail: null, hint: null },
];

const branches: OfferedBranches = {
  branches: ['topic', 'main', 'release‮cod.exe'],
  more: false,
  default: 'origin/main',
  current: 'topic',
};

/** Opens the form of a review at a server with these choices; returns the bodies of the runs that it starts. */
function openForm(choices: { agents?: object; branches?: object }): readonly unknown[] {
  const started: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/agents')) return Response.json(choices.agents, { status: statusOf(choices.agents) });
    if (url.endsWith('/branches'))
      return Response.json(choices.branches, { status: statusOf(choices.branches) });
    started.push(JSON.parse(typeof init.body === 'string' ? init.body : ''));
    return Response.json({ run_id: 'r' }, { status: 201 });
  });
  const choice = { forget: () => undefined, logOut: async () => undefined };
  render(
    <ServerProvider session={{ tenant: 't', version: '1' }} choice={choice} isLoggedOut={false}>
      <ReviewForm />
    </ServerProvider>,
  );
  return started;
}

function statusOf(answer: object | undefined): number {
  return answer === undefined || 'status' in answer ? 403 : 200;
}

const refused = { status: 403, title: 'Forbidden', detail: 'not for this token' };

function optionsOf(label: string): readonly string[] {
  return within(screen.getByLabelText(label))
    .getAllByRole<HTMLOptionElement>('option')
    .map(({ text, disabled }) => `${text}${disabled ? ' (off)' : ''}`);
}

test('the advisor and the lead are chosen from the agents of the server, and the form says how the others become ready', async () => {
  const started = openForm({ agents: { agents }, branches });
  await screen.findAllByText('Claude Code: ready');
  expect(optionsOf('Advisor')).toEqual([
    'Automatic',
    'Claude Code: ready',
    'Rules without a model: ready',
    'Codex: not ready (off)',
    'Other …',
  ]);
  expect(optionsOf('Lead')).toEqual(['Automatic', 'Claude Code: ready', 'Other …']);
  expect(screen.getByText(/codex is missing · npm install it/)).toBeDefined();
  fireEvent.change(screen.getByLabelText('Lead'), { target: { value: 'claude_code' } });
  fireEvent.change(screen.getByLabelText('Advisor'), { target: { value: '\n' } });
  fireEvent.change(screen.getByLabelText('Advisor, typed'), { target: { value: 'openai:gpt-5.5' } });
  fireEvent.click(screen.getByRole('button', { name: 'Start' }));
  await vi.waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]).toMatchObject({ advisor: 'openai:gpt-5.5', lead: 'claude_code', input: {} });
});

test('a base is chosen from the branches, the default one at first, and any other can be typed', async () => {
  const started = openForm({ agents: { agents }, branches });
  await screen.findAllByText('Claude Code: ready');
  const kind = screen.getByLabelText('What is reviewed');
  fireEvent.change(kind, { target: { value: 'base' } });
  const options = optionsOf('Base');
  expect(options.slice(0, 3)).toEqual(['origin/main (default)', 'topic (checked out)', 'main']);
  expect(options.join('')).not.toContain('‮');
  fireEvent.click(screen.getByRole('button', { name: 'Start' }));
  await vi.waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]).toEqual({ kind: 'review', input: { base: 'origin/main' }, fail_on: 'critical' });
  fireEvent.change(screen.getByLabelText('Base'), { target: { value: '\n' } });
  fireEvent.change(screen.getByLabelText('Base, typed'), { target: { value: 'v1.2' } });
  fireEvent.change(kind, { target: { value: 'range' } });
  expect(screen.getByLabelText<HTMLInputElement>('Range').value).toBe('origin/main...topic');
  fireEvent.change(kind, { target: { value: 'base' } });
  expect(screen.getByLabelText<HTMLInputElement>('Base, typed').value).toBe('v1.2');
});

test('a reader without the lists types the base and the agents', async () => {
  const started = openForm({ agents: refused, branches: refused });
  fireEvent.change(screen.getByLabelText('What is reviewed'), { target: { value: 'base' } });
  fireEvent.change(screen.getByLabelText('Base'), { target: { value: 'main' } });
  expect(optionsOf('Advisor')).toEqual(['Automatic', 'Other …']);
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.submit(screen.getByRole('button', { name: 'Start' }));
  await vi.waitFor(() => expect(started).toHaveLength(1));
  expect(started[0]).toMatchObject({ input: { base: 'main' } });
});
