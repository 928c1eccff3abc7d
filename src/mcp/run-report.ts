/**
 * Tells a calling agent of a run: its state, its question or its outcome, and what to do next. It is text: hosts show their
 * models structured content instead of the text beside it, and a report is read, not parsed.
 */
import { howToWrite } from '../runs/calls/parse-user-answer.ts';
import type { OpenedRun } from '../runs/folder/opened-run.ts';
import type { RunResult } from '../runs/folder/result-file.ts';
import { renderConsult } from '../views/reports/consult-report.ts';
import { printable } from '../views/reports/foreign-text.ts';
import { renderReport } from '../views/reports/report-formats.ts';
import type { CallerRuns } from './caller-runs.ts';

export async function reportRun(runs: CallerRuns, found: OpenedRun): Promise<string> {
  // Reads the state first: if the run ended in between, an earlier read of the result would miss it.
  const state = await runs.state(found);
  const run = found.runId;
  switch (state) {
    case 'running':
      return head({ run, state, next: `call status with run ${run}: it is still running` });
    case 'interrupted':
      return head({ run, state, next: runs.byHand.resume(run) });
    case 'waiting':
      return asked(runs, found);
    case 'ended':
      return ended(runs, found);
  }
}

/** One fact a line, then an empty line. */
function head(facts: Readonly<Record<string, string | number | null>>): string {
  const lines = Object.entries(facts).map(([name, fact]) => `${name}: ${fact ?? 'none'}\n`);
  return `${lines.join('')}\n`;
}

async function asked({ byHand, engine }: CallerRuns, found: OpenedRun): Promise<string> {
  const run = found.runId;
  const [question] = (await engine.status(found)).open;
  const state = 'waiting';
  if (question === undefined) return head({ run, state, next: byHand.resume(run) });
  const next = isForPerson(question)
    ? `only a person decides this: call answer with run ${run}, and the person is asked; or ${byHand.answer(run)}`
    : `call answer with run ${run}`;
  const facts = head({ run, state, question: question.kind, write: howToWrite(question), next });
  return facts + printable(question.text).trimEnd();
}

/** A gate lets work continue, or lets it into files. */
export function isForPerson({ kind }: { readonly kind: string }): boolean {
  return kind === 'gate';
}

async function ended({ byHand, engine }: CallerRuns, found: OpenedRun): Promise<string> {
  const run = found.runId;
  const result = await engine.result(found);
  const state = 'ended';
  if (result === null) return head({ run, state, next: 'nothing to do: the run left no result' });
  const { outcome, exit_code } = result;
  const isReview = result.schema === 'collab.review/v1';
  const apply = isReview && result.workflow !== undefined ? byHand.apply(run) : null;
  const applies = apply === null ? '' : `; a person brings the work into the files: ${apply}`;
  const next = isReview ? `call findings with run ${run} for a work order${applies}` : 'nothing to do';
  const facts = head({ run, state, outcome, exit_code, next });
  return facts + (await reportOf(result));
}

function reportOf(result: RunResult): string | Promise<string> {
  const plain = { color: false, ascii: false };
  if (result.schema === 'collab.consult/v1') return renderConsult('markdown', result, plain);
  return renderReport('markdown', result, { ...plain, columns: 80 });
}
