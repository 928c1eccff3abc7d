// @vitest-environment jsdom
import { act, createElement, StrictMode } from 'react';
import { createRoot, type Container, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hanging, request, scriptedServer, wholeRun, wire, streamed } from './scripted-server.test-helper.ts';
import { useStreaming, type StreamingHook, type UseStreamingOptions } from './use-streaming.ts';

/** A global of browsers that has no types here. */
declare const document: { createElement(name: string): Container };

let root: Root;
let hook: StreamingHook | undefined;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(document.createElement('div'));
});

afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

test('X002-D6.1 an unmounted component reads no longer, and leaves the run alone', async () => {
  const { asked, options } = scriptedServer([unfinished]);
  const { run } = await readUpTo(3, options);
  act(() => root.unmount());
  await run;
  expect(asked).toHaveLength(1);
});

test('X002-D6.1 a component that shows another conversation reads the one before no longer', async () => {
  const { asked, options } = scriptedServer([unfinished]);
  const { run } = await readUpTo(3, options);
  render('other', options);
  await act(async () => run);
  expect(asked).toHaveLength(1);
  expect(hook).toMatchObject({ isStreaming: false, lastSeq: 0, thinkingText: '' });
});

function unfinished(): Response {
  return streamed(hanging([wire(wholeRun.slice(0, 3))]));
}

/** In React's strict mode, which mounts every component twice. */
function render(conversationId: string, options: UseStreamingOptions): void {
  act(() => root.render(createElement(StrictMode, null, createElement(Shown, { conversationId, options }))));
}

function Shown({ conversationId, options }: { conversationId: string; options: UseStreamingOptions }): null {
  hook = useStreaming('t', conversationId, options);
  return null;
}

/** Starts a run that keeps running. */
async function readUpTo(seq: number, options: UseStreamingOptions): Promise<{ run: Promise<void> }> {
  render('c', options);
  let run = Promise.resolve();
  await act(
    () =>
      new Promise<void>((resolve) => {
        const onEvent = ({ data }: { data: { seq: number } }) => (data.seq === seq ? resolve() : undefined);
        run = hook?.execute(request, { onEvent }) ?? run;
      }),
  );
  expect(hook).toMatchObject({ isStreaming: true, lastSeq: seq });
  return { run };
}
