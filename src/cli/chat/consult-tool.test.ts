import { expect, test } from 'vitest';
import type { Json } from '../../tools/definition/interfaces.ts';
import { createAdvisorTools } from './consult-tool.ts';
import type { InnerCommand } from './run-inner-command.ts';

function createTools(ended: Partial<InnerCommand> = {}) {
  const calls: unknown[] = [];
  const inner: InnerCommand = { exitCode: 0, printed: 'Sound.\n', remarks: '', ...ended };
  const tools = createAdvisorTools({
    async consultForLead(...call) {
      calls.push(['consult', ...call]);
      return inner;
    },
    async answerForLead(...call) {
      calls.push(['answer', ...call]);
      return inner;
    },
  });
  const { signal } = new AbortController();
  return {
    calls,
    tools,
    signal,
    run: async (name: string, args: Json) =>
      tools.find((known) => known.name === name)?.run(args, { signal }),
  };
}

test('the lead consults and answers the advisor, and gets what it wrote', async () => {
  const { run, calls, signal } = createTools();
  const outcome = { content: 'Sound.\n', isError: false, exitCode: 0 };
  expect(await run('Consult', { phase: 'design', brief: 'why?' })).toEqual(outcome);
  expect(await run('AnswerAdvisor', { run: 'r1-a', answer: 'yes' })).toEqual(outcome);
  expect(calls).toEqual([
    ['consult', { phase: 'design', brief: 'why?' }, signal],
    ['answer', 'r1-a', 'yes', signal],
  ]);
});

test.each([
  [10, false],
  [2, true],
  [3, true],
  [4, true],
])('the exit code %d of a consult is a failure: %j', async (exitCode, isError) => {
  const { run } = createTools({ exitCode });
  expect(await run('Consult', { phase: 'design', brief: 'x' })).toEqual({
    content: 'Sound.\n',
    isError,
    exitCode,
  });
});

const content = async (ended: Partial<InnerCommand>) =>
  (await createTools(ended).run('Consult', { phase: 'design', brief: 'x' }))?.content;

test('without an answer the lead gets the exit code and the remarks', async () => {
  expect(await content({ exitCode: 4, printed: ' \n', remarks: 'no login\n' })).toBe(
    'The advisor gave no answer (exit 4).\nno login',
  );
  expect(await content({ exitCode: 4, printed: '' })).toBe('The advisor gave no answer (exit 4).');
});

test.each([
  ['Consult', { phase: 'review', brief: 'x' }],
  ['Consult', { phase: 'design', brief: '' }],
  ['Consult', { phase: 'design', brief: 'x', more: 1 }],
  ['AnswerAdvisor', { run: '-r', answer: 'x' }],
  ['AnswerAdvisor', { run: 'a/b', answer: 'x' }],
  ['AnswerAdvisor', { run: 'r1', answer: '' }],
])('%s refuses %j', async (name, args) => {
  const { run, calls } = createTools();
  expect(await run(name, args)).toMatchObject({ isError: true });
  expect(calls).toEqual([]);
});

test('both tools change something, and describe their arguments', () => {
  const described = createTools().tools.map(({ name, description, readOnly, parameters }) => ({
    name,
    description,
    readOnly,
    properties: parameters['properties'],
  }));
  expect(described).toEqual([
    {
      name: 'Consult',
      description:
        'Asks the advisor, another coding agent, for its opinion. It reads a copy of the repository but not this conversation, so include everything that it needs in the brief. It may ask back: then use AnswerAdvisor.',
      readOnly: false,
      properties: {
        phase: expect.objectContaining({ description: 'the phase of your question' }),
        brief: expect.objectContaining({ description: 'the plan and the question, in Markdown' }),
      },
    },
    {
      name: 'AnswerAdvisor',
      description: 'Answers a question of the advisor, and returns its next answer.',
      readOnly: false,
      properties: {
        run: expect.objectContaining({ description: 'the id of the run with the question' }),
        answer: expect.anything(),
      },
    },
  ]);
});
