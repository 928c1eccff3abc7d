/** The conversation of a run at a terminal, for a person. */
import { createPaint } from '../../text/paint.ts';
import { createRunTalk } from '../../views/talk/talk.ts';
import { introductionLines } from './introduction-lines.ts';
import { agentNamesIn } from './live-screen.ts';
import type { ProgressScreen } from './progress-screen.ts';
import type { Session } from '../session.ts';
import { wrapLog } from './wrap-log.ts';

export function createTalkScreen(session: Session, { ascii }: { readonly ascii: boolean }): ProgressScreen {
  const { cwd, screen } = session;
  const columns = () => process.stdout.columns ?? screen.columns;
  const talk = createRunTalk({ columns, paint: createPaint(screen.color.out), cwd, ascii });
  const log = wrapLog(session);
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) session.out(`${lines.join('\n')}\n`);
  };
  return {
    introduce(facts) {
      talk.introduce(agentNamesIn(facts));
      introductionLines(facts).forEach(log);
    },
    push: (event) => print(talk.push(event)),
    hold: () => () => undefined,
    close: () => print(talk.end()),
  };
}
