/** Prints the question of a waiting run, with how to answer it; ends with exit code 10. */
import type { ReportFormat } from '../../views/reports/report-formats.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { printable } from '../../views/reports/foreign-text.ts';
import { engineOf } from '../engine/engine-of.ts';
import { remoteWord } from '../engine/remote-flags.ts';
import { exitCodes } from '../exit-code.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

export async function tellQuestion(
  session: Session,
  found: RunFolder,
  format: ReportFormat,
): Promise<number> {
  const { tagOfQuestion } = await import('../../runs/calls/reverse-question.ts');
  const { howToWrite } = await import('../../runs/calls/parse-user-answer.ts');
  const [question, ...others] = (await (await engineOf(session)).status(found)).open;
  if (question === undefined) {
    session.err(`${found.runId} waits without a question; continue it: collab resume ${found.runId}\n`);
    return exitCodes.needsAnswer;
  }
  const tag = tagOfQuestion(question.schema);
  const next = `collab answer ${found.runId}${remoteWord(session)} --file -`;
  if (format === 'json') {
    const { name, kind, text, schema: answer_schema } = question;
    const told = { schema: 'collab.question/v1', run: found.runId, state: 'waiting', name, kind, tag };
    session.out(renderJson({ ...told, text, answer_schema, next }));
    return exitCodes.needsAnswer;
  }
  session.out(
    [
      `${found.runId} asks:\n\n${printable(question.text).trimEnd()}\n`,
      `To answer, write ${howToWrite(question)}; then`,
      `  ${next}\n`,
    ].join('\n'),
  );
  if (others.length > 0) session.err(`${others.length} more to answer after this\n`);
  return exitCodes.needsAnswer;
}
