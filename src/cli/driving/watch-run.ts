/** Shows a run that another process drives, as if it were driven here. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { Session } from '../session.ts';
import type { PresentFlags } from './present-here.ts';
import { createProgressScreen } from './progress-screen.ts';

/** Shows the run from its beginning until `waiting` settles, and everything that is recorded by then. */
export async function watchWhile<Value>(
  session: Session,
  found: OpenedRun,
  { format = 'terminal', ascii = false }: Pick<PresentFlags, 'format' | 'ascii'>,
  waiting: () => Promise<Value>,
): Promise<Value> {
  const engine = await engineOf(session);
  const isTalk = found.input.kind === 'workflow' || found.input.kind === 'fix';
  const onStandardOutput = isTalk && format === 'terminal';
  const screen = await createProgressScreen(session, {
    verbose: false,
    plain: false,
    ascii,
    onStandardOutput,
  });
  const over = new AbortController();
  let seen = 0;
  const show = (events: readonly CollabEvent[]): void => {
    for (const event of events.filter(({ seq }) => seq > seen)) {
      seen = event.seq;
      screen.push(event);
    }
  };
  const following = (async () => {
    for await (const lines of engine.events(found, 0, over.signal)) show(lines.map(({ event }) => event));
  })();
  // A fault of the reading is thrown when the waiting is over.
  following.catch(() => undefined);
  try {
    const value = await waiting();
    over.abort();
    await following;
    show(await engine.records(found));
    return value;
  } finally {
    over.abort();
    await following.catch(() => undefined);
    screen.close();
  }
}
