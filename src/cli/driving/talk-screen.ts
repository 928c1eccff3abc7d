/** The conversation of a run at a terminal, for a person. */
import { createPaint } from '../../text/paint.ts';
import { createRunTalk } from '../../views/talk/talk.ts';
import { printIntroduction } from './introduction-block.ts';
import { agentNamesIn } from './live-screen.ts';
import type { ProgressScreen } from './progress-screen.ts';
import type { Session } from '../session.ts';

export function createTalkScreen(session: Session, { ascii }: { readonly ascii: boolean }): ProgressScreen {
  const { cwd, screen } = session;
  const columns = () => screen.columns;
  const talk = createRunTalk({ columns, paint: createPaint(screen.color.out), cwd, ascii });
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) session.out(`${lines.join('\n')}\n`);
  };
  return {
    introduce(facts) {
      talk.introduce(agentNamesIn(facts));
      printIntroduction(session, facts);
    },
    push: (event) => print(talk.push(event)),
    hold: () => () => undefined,
    // The report follows.
    close: () => print([...talk.end(), '']),
  };
}
