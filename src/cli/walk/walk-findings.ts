/** `collab show -i`: a person walks through the findings of a review, and acts on each. */
import type { Key } from 'node:readline';
import type { Finding } from '../../events/collab-event.ts';
import { inReportOrder } from '../../events/findings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { renderWorkOrder } from '../../prompts/lead/work-order.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { placeInProject } from '../../runs/folder/project-file.ts';
import { onOneLine } from '../../text/one-line.ts';
import { createPaint } from '../../text/paint.ts';
import { printable } from '../../views/reports/foreign-text.ts';
import type { FindingStyle } from '../../views/reports/terminal-finding.ts';
import { contextOfRun } from '../driving/context-of-run.ts';
import { lookOf } from '../driving/look-of.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import { describeDismissal } from '../commands/dismiss-command.ts';
import type { Session } from '../session.ts';
import { renderPage } from './finding-page.ts';
import { openEditor } from './open-editor.ts';
import { openWalkScreen } from './walk-screen.ts';

export type WalkEnd =
  | { readonly kind: 'left'; readonly code: number }
  /** The user asked to fix this finding. */
  | { readonly kind: 'fix'; readonly finding: Finding };

/** @throws CollabError `usage` without a terminal, and for a review without findings */
export async function walkFindings(session: Session, run: OpenedRun, result: ReviewResult): Promise<WalkEnd> {
  checkTerminal(session);
  const findings = inReportOrder(result.findings);
  if (findings.length === 0) {
    throw new CollabError('usage', `${run.runId} has no findings`, { hint: `collab show ${run.runId}` });
  }
  const style = await styleOf(session, run);
  let [index, scrolled] = [0, 0];
  let message: string | null = null;
  const finding = () => findings[index] ?? failed();
  const draw = () => {
    const page = { finding: finding(), index, count: findings.length, scrolled, message };
    const { lines, mostScrolled } = renderPage(page, style, screen.size());
    scrolled = Math.min(scrolled, mostScrolled);
    screen.draw(lines);
  };
  const screen = openWalkScreen(session, () => draw());
  const go = (step: number) => {
    const next = Math.min(findings.length - 1, Math.max(0, index + step));
    message = next === index ? (step > 0 ? 'this is the last finding' : 'this is the first finding') : null;
    [index, scrolled] = [next, next === index ? scrolled : 0];
  };
  try {
    for (;;) {
      draw();
      const key = await screen.key();
      if (key === null) return { kind: 'left', code: exitCodeOfSignal(session.endedBy() ?? 'SIGINT') };
      message = null;
      switch (actionOf(key)) {
        case 'interrupt':
          return { kind: 'left', code: exitCodes.interrupted };
        case 'quit':
          return { kind: 'left', code: exitCodes.passed };
        case 'next':
          go(1);
          break;
        case 'previous':
          go(-1);
          break;
        case 'down':
          scrolled += 1;
          break;
        case 'up':
          scrolled = Math.max(0, scrolled - 1);
          break;
        case 'open':
          message = await screen.lend(() => edit(session, run, finding()));
          break;
        case 'dismiss':
          message = await screen.lend(() => dismissHere(session, run, finding()));
          break;
        case 'copy':
          screen.send(clipboardSequence(renderWorkOrder([finding()])));
          message = 'copied as a prompt for an agent, if the terminal allows it (OSC 52)';
          break;
        case 'fix':
          return { kind: 'fix', finding: finding() };
        case null:
          message = 'n next, p previous, o open, f fix, d dismiss, c copy, q quit';
      }
    }
  } finally {
    screen.close();
  }
}

function failed(): never {
  throw new CollabError('internal', 'the walk left its list');
}

function checkTerminal({ stdin, screen }: Session): void {
  if (screen.interactive.out && stdin.isTTY && screen.movesCursor) return;
  throw new CollabError('usage', 'show -i needs a terminal', { hint: 'collab show prints the findings' });
}

async function styleOf(session: Session, run: OpenedRun): Promise<FindingStyle> {
  const look = await lookOf(session, run);
  const contextOf = await contextOfRun(run, 4);
  const { columns, color } = session.screen;
  return { columns, paint: createPaint(color.out), contextOf: contextOf ?? (() => []), look };
}

type Action =
  | 'next'
  | 'previous'
  | 'down'
  | 'up'
  | 'open'
  | 'fix'
  | 'dismiss'
  | 'copy'
  | 'quit'
  | 'interrupt';

const actions: Readonly<Partial<Record<string, Action>>> = {
  n: 'next',
  right: 'next',
  space: 'next',
  tab: 'next',
  p: 'previous',
  left: 'previous',
  backspace: 'previous',
  j: 'down',
  down: 'down',
  k: 'up',
  up: 'up',
  o: 'open',
  return: 'open',
  f: 'fix',
  d: 'dismiss',
  c: 'copy',
  q: 'quit',
  escape: 'quit',
};

function actionOf({ name, ctrl, meta }: Key): Action | null {
  if (ctrl === true && name === 'c') return 'interrupt';
  if (ctrl === true || name === undefined || (meta === true && name !== 'escape')) return null;
  return Object.hasOwn(actions, name) ? (actions[name] ?? null) : null;
}

/** Asks the terminal to put the text on the clipboard (OSC 52). */
function clipboardSequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}

async function edit(session: Session, run: OpenedRun, finding: Finding): Promise<string | null> {
  const place = placeInProject(run.input, finding);
  if (place !== null) return openEditor(session, place);
  return `${onOneLine(printable(finding.path ?? 'a finding without a place'))}: there is no such file here`;
}

async function dismissHere(session: Session, run: OpenedRun, finding: Finding): Promise<string> {
  const { text } = await import('@clack/prompts');
  const { dismissFinding } = await import('../../runs/dismiss/dismiss.ts');
  const { cwd, env, clock, signal, stdin } = session;
  const reason = await text({
    input: stdin,
    output: process.stdout,
    message: `Why does ${finding.id} not count?`,
    signal,
  });
  if (typeof reason !== 'string' || reason.trim() === '') return 'not dismissed: it needs a reason';
  try {
    const done = await dismissFinding({ finding, runId: run.runId, reason, cwd, env, clock, signal });
    return describeDismissal(finding, done).join('; ');
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    return [error.message, error.hint].filter((part) => part !== undefined && part !== null).join('; ');
  }
}
