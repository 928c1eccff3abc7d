import { useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import type { StreamRequest } from 'codex-collab/client';
import { useStreaming } from 'codex-collab/react';

const request: StreamRequest = {
  user_input: 'hello',
  executor: { user_id: 'user-001', name: 'User', email: 'user@example.com' },
};

/** The hook with a button for each verb, and its output. */
function Hook(): ReactElement {
  const { execute, cancel, disconnect, ...state } = useStreaming('t', 'c');
  const [heard, hear] = useState<readonly string[]>([]);
  const add = (name: string) => () => hear((names) => [...names, name]);
  const handlers = { onInit: add('init'), onDone: add('done'), onError: add('error') };
  const shown = { ...state, pendingTools: [...state.pendingTools.keys()], heard };
  return (
    <>
      <button onClick={() => void execute(request, handlers)}>execute</button>
      <button onClick={() => void cancel()}>cancel</button>
      <button onClick={disconnect}>disconnect</button>
      <output>{JSON.stringify(shown)}</output>
    </>
  );
}

function Page(): ReactElement {
  const [isMounted, mount] = useState(true);
  return (
    <>
      <button onClick={() => mount(false)}>unmount</button>
      {isMounted ? <Hook /> : <p>gone</p>}
    </>
  );
}

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<Page />);
