import { expect, test } from 'vitest';
import type { Engine } from '../../runs/engine/engine.ts';
import { approvalQuestion } from '../../runs/calls/gate-question.ts';
import { howToWrite } from '../../runs/calls/parse-user-answer.ts';
import { reverseQuestion } from '../../runs/calls/reverse-question.ts';
import type { ReportFormat } from '../../views/reports/report-formats.ts';
import { sessionIn } from '../command.test-helper.ts';
import { tellQuestion } from './print-question.ts';

const found = { runId: 'r1', path: '/runs/r1' };
const gate = { name: 'design/gate', ...approvalQuestion('design', '# Design\u001b\n\n', (text) => text) };
const request = {
  name: 'consult/1',
  ...reverseQuestion({ tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'Where is it?' }),
};

/** Tells the first of these questions of a run of an engine that is named. */
async function told(open: readonly object[], format: ReportFormat = 'terminal') {
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the command asks of an engine
  const engine = { status: async (run: unknown) => (run === found ? { open } : null) } as unknown as Engine;
  const { session, printed } = sessionIn({ root: '/', env: {} }, { engine });
  return { code: await tellQuestion(session, found, format), ...printed() };
}

test('a question is printed with how to write its answer, and the command that takes it', async () => {
  expect(await told([gate])).toEqual({
    code: 10,
    out: `r1 asks:\n\n# Design␛\n\nTo answer, write ${howToWrite(gate)}; then\n  collab answer r1 --remote --file -\n`,
    err: '',
  });
});

test('further questions are counted', async () => {
  const { code, out, err } = await told([request, gate, gate]);
  expect([code, err]).toEqual([10, '2 more to answer after this\n']);
  expect(out).toBe(
    'r1 asks:\n\n[CONSULT:CLAUDE:CONTEXT]\n\nWhere is it?\n\nTo answer, write the context, in any Markdown; then\n  collab answer r1 --remote --file -\n',
  );
});

test('a program gets the question as JSON, alone', async () => {
  const { code, out, err } = await told([request, gate], 'json');
  expect([code, err, JSON.parse(out)]).toEqual([
    10,
    '',
    {
      schema: 'collab.question/v1',
      run: 'r1',
      state: 'waiting',
      name: 'consult/1',
      kind: 'reverse',
      tag: '[CONSULT:CLAUDE:CONTEXT]',
      text: '[CONSULT:CLAUDE:CONTEXT]\n\nWhere is it?',
      answer_schema: JSON.parse(JSON.stringify(request.schema)),
      next: 'collab answer r1 --remote --file -',
    },
  ]);
});

test('a run that waits without a question says how to continue it', async () => {
  expect(await told([])).toEqual({
    code: 10,
    out: '',
    err: 'r1 waits without a question; continue it: collab resume r1\n',
  });
});
