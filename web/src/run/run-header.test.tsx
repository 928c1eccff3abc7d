// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createRunFold } from '../fold/run-fold.ts';
import { RunHeader } from './run-header.tsx';

afterEach(cleanup);

test('a run that may have ended cannot be cancelled until the server has sent its status', () => {
  const used = {
    run: createRunFold().current(),
    connection: 'connecting',
    error: null,
    detail: { value: null, failure: null, reload: () => undefined },
    standing: { state: null, end: null, canGoOn: false },
    follow: () => undefined,
  } as const;
  const route = { kind: 'run', conversation: 'c', run: 'r', tab: null, finding: null } as const;
  render(<RunHeader route={route} used={used} isExplainedBelow={false} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('r');
  expect(screen.queryAllByRole('button')).toEqual([]);
});
