/** The screen of a run at a terminal: the log, and below it the live lines of what happens now. */
import { createLiveWork } from '../../views/live/live-work.ts';
import { renderLiveLines } from '../../views/live/live-lines.ts';
import { createPaint } from '../../text/paint.ts';
import type { AgentNames } from '../../events/speakers.ts';
import type { Introduction, WorkflowIntroduction } from '../../runs/introduction.ts';
import type { Session } from '../session.ts';
import { createLiveRegion } from './live-region.ts';
import type { ProgressScreen } from './progress-screen.ts';

/** The time between two drawings; a moving mark needs about ten in a second. */
const frameMs = 100;

/** More lines than these would push the log away. */
const mostRows = 6;

/** A terminal shows a pressed Ctrl-C as two characters behind the last line. */
const roomForKeys = 3;

/** Adds the live lines to a screen that writes the log. */
export function createLiveScreen(
  session: Session,
  { ascii }: { readonly ascii: boolean },
  screenOf: (session: Session) => ProgressScreen,
): ProgressScreen {
  const activity = createLiveWork();
  const { stderr } = process;
  const columns = () => session.screen.columns;
  const region = createLiveRegion({ write: session.err, columns });
  const paint = createPaint(session.screen.color.err);
  let held = 0;
  const above = (print: (text: string) => void) => (text: string) => {
    if (held > 0) print(text);
    else region.above(() => print(text));
  };
  const log = screenOf({ ...session, out: above(session.out), err: above(session.err) });

  function draw(): void {
    if (held > 0) return;
    const rows = Math.min(mostRows, Math.max(1, (stderr.rows ?? 24) - 2));
    const size = { columns: columns() - roomForKeys, rows };
    region.draw(
      renderLiveLines(activity.current(), {
        ...size,
        nowMs: session.clock.now(),
        paint,
        cwd: session.cwd,
        ascii,
      }),
    );
  }

  const timer = setInterval(draw, frameMs);
  timer.unref();
  // A second signal ends the process at once.
  process.once('exit', region.clear);
  draw();

  return {
    push(event) {
      activity.push(event);
      log.push(event);
    },
    introduce(facts) {
      activity.introduce(agentNamesIn(facts));
      log.introduce(facts);
    },
    hold() {
      held += 1;
      region.clear();
      return () => {
        held -= 1;
        draw();
      };
    },
    close() {
      clearInterval(timer);
      held += 1;
      region.clear();
      process.off('exit', region.clear);
      log.close();
    },
  };
}

/** The names of the agents, as the introduction gives them. */
export function agentNamesIn(facts: Introduction): AgentNames {
  const lead = facts.kind === 'workflow' ? nameOf(facts.lead) : undefined;
  const advisor = nameOf(facts.advisor);
  return { ...(lead === undefined ? {} : { lead }), ...(advisor === undefined ? {} : { advisor }) };
}

function nameOf(agent: WorkflowIntroduction['lead']): string | undefined {
  return agent === null || 'kind' in agent ? undefined : agent.displayName;
}
