// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { FailureLine } from './failure-line.tsx';

afterEach(cleanup);

test.each([
  ['The token is none of this server', 'make one', 'The token is none of this server; make one'],
  ['There is no such run.', 'look at the list', 'There is no such run; look at the list'],
  ['There is no such run', null, 'There is no such run'],
])('what the server says and what to do about it are told apart: %s', (detail, hint, told) => {
  render(<FailureLine failure={{ status: 400, detail, hint }} />);
  expect(screen.getByRole('alert').textContent).toBe(told);
});
