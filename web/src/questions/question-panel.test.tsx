// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { errorOfResponse } from '../../../src/client/refusal.ts';
import { Deferred } from '../../../src/system/deferred.ts';
import { approvalQuestion } from '../../../src/runs/calls/gate-question.ts';
import type { QuestionState } from '../run-state.ts';
import { QuestionPanel, type QuestionPanelProps } from './question-panel.tsx';

afterEach(cleanup);

const { kind, text, schema } = approvalQuestion(
  'design',
  'Do you **approve** <b>this</b>?',
  (answer) => answer,
);
type Asked = QuestionPanelProps['question'];
const gate: Asked = { name: 'design/1/gate', kind, text, schema: asJson(schema), answer: null };

test('a gate is approved: the value is sent once, and the focus stays with the question', async () => {
  const sent: unknown[] = [];
  const onAnswer = async (name: string, value: unknown) => void sent.push([name, value]);
  const view = render(<QuestionPanel question={gate} onAnswer={onAnswer} />);
  expect(screen.getByText('approve').tagName).toBe('STRONG');
  expect(screen.getByText(/<b>this<\/b>/)).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Approve and continue'));
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('The answer was sent.');
  expect(sent).toEqual([['design/1/gate', 'approve']]);
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3 }));
  view.rerender(
    <QuestionPanel question={{ ...gate, answer: { by: 'user', value: 'approve' } }} onAnswer={onAnswer} />,
  );
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3 }));
  expect(screen.getByText('Answered by a person')).toBeTruthy();
});

test('a missing value is reported, and gets the focus', () => {
  render(<QuestionPanel question={gate} onAnswer={() => refuse()} />);
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect(screen.getByRole('alert').textContent).toBe('Choose one first.');
  expect(document.activeElement).toBe(screen.getByLabelText('Approve and continue'));
  fireEvent.click(screen.getByLabelText('Request changes'));
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect(screen.getByRole('alert').textContent).toBe('Write something first.');
  const field = screen.getByLabelText('What to change');
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('an earlier phase is chosen by the keyboard alone', async () => {
  const sent: unknown[] = [];
  render(<QuestionPanel question={gate} onAnswer={async (_name, value) => void sent.push(value)} />);
  fireEvent.click(screen.getByLabelText('Request changes'));
  fireEvent.change(screen.getByLabelText('Which phase'), { target: { value: 'requirements' } });
  const field = screen.getByLabelText('What to change');
  fireEvent.change(field, { target: { value: 'no mail' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(sent).toEqual([]);
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await waitFor(() => expect(sent).toEqual(['revise requirements: no mail']));
});

test('a server’s refusal is shown with its text, and the answer can be sent again', async () => {
  const problem = { status: 422, detail: 'the answer does not fit', hint: 'write approve' };
  render(<QuestionPanel question={gate} onAnswer={async () => refuse(problem)} />);
  fireEvent.click(screen.getByLabelText('Stop the run'));
  fireEvent.change(screen.getByLabelText('Comment (optional)'), { target: { value: 'enough' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('The answer was not accepted: the answer does not fit; write approve');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Comment (optional)').value).toBe('enough');
  expect(screen.getByRole('button', { name: 'Send the answer' })).toBeTruthy();
});

test('a second answerer learns that the question was answered already', async () => {
  render(
    <QuestionPanel question={gate} onAnswer={async () => refuse({ status: 409, detail: 'answered' })} />,
  );
  fireEvent.click(screen.getByLabelText('Approve and continue'));
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Another person has already answered this.');
  expect(screen.queryByRole('button')).toBeNull();
});

test('while an answer is being sent the form says so and accepts no other', async () => {
  let calls = 0;
  const taken = new Deferred<void>();
  const onAnswer = () => {
    calls += 1;
    return taken.promise;
  };
  render(<QuestionPanel question={{ ...gate, schema: { type: 'string' } }} onAnswer={onAnswer} />);
  fireEvent.change(screen.getByLabelText('Your answer'), { target: { value: 'euro' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  fireEvent.click(screen.getByRole('button', { name: 'Sending …' }));
  expect(calls).toBe(1);
  taken.resolve(undefined);
  await screen.findByText('The answer was sent.');
});

test('a given answer is shown as text, whatever it contains', () => {
  const answer: Asked['answer'] = { by: 'policy', value: { VERDICT: '<b>approve</b>\u202e' } };
  const { container } = render(<QuestionPanel question={{ ...gate, answer }} onAnswer={() => refuse()} />);
  expect(container.querySelector('blockquote')?.textContent).toContain('<b>approve</b><U+202E>');
});

async function refuse(problem: object = {}): Promise<void> {
  const status = 'status' in problem && typeof problem.status === 'number' ? problem.status : 500;
  throw await errorOfResponse(new Response(JSON.stringify(problem), { status }));
}

function asJson(value: unknown): QuestionState['schema'] {
  return JSON.parse(JSON.stringify(value));
}
