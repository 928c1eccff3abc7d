/** The output of a conversation at a terminal: answers in rendered Markdown, with live lines below them. */
import type { CollabEvent } from '../../events/collab-event.ts';
import { createPaint } from '../../text/paint.ts';
import { renderCount } from '../../text/quantities.ts';
import { renderCost } from '../../views/reports/usage-line.ts';
import { createSessionTotals } from '../../views/screen/session-totals.ts';
import { createRunTalk } from '../../views/talk/talk.ts';
import { createLiveScreen } from '../driving/live-screen.ts';
import type { ProgressScreen } from '../driving/progress-screen.ts';
import type { Session } from '../session.ts';
import { createTextScreen, tellRepeat, type ChatScreen } from './chat-screen.ts';

export function createTerminalScreen(session: Session, { ascii }: { readonly ascii: boolean }): ChatScreen {
  // Tools that the user runs, and the output of commands.
  const plain = createTextScreen(session, { ascii });
  const paint = createPaint(session.screen.color.out);
  const talk = createRunTalk({
    columns: () => session.screen.columns,
    paint,
    cwd: session.cwd,
    ascii,
    defersEdits: true,
  });
  let totals = createSessionTotals();
  let model: string | null = null;
  let answer: ProgressScreen | null = null;

  function count(event: CollabEvent): void {
    totals.add(event, event.agent.role === 'lead' && event.parent_agent_id === undefined);
  }

  function answerScreen({ out, err }: Session): ProgressScreen {
    const print = (lines: readonly string[]): void => {
      if (lines.length > 0) out(`${lines.join('\n')}\n`);
    };
    return {
      introduce: () => {},
      push(event) {
        print(talk.push(event));
        tellRepeat({ err }, event);
      },
      hold: () => () => {},
      close: () => print([...talk.end(), '']),
    };
  }

  return {
    ...plain,
    begin(what) {
      if (what === 'tool') return plain.begin(what);
      answer = createLiveScreen(session, { ascii }, answerScreen);
    },
    event(event) {
      count(event);
      if (answer === null) return plain.event(event);
      answer.push(event);
    },
    end() {
      if (answer === null) return plain.end();
      answer.close();
      answer = null;
    },
    hold(callId) {
      if (callId !== null) talk.dropEdit(callId);
      return answer?.hold() ?? (() => {});
    },
    status() {
      const { input, output, nextContext, cost } = totals.current();
      if (input + output === 0) return null;
      return [
        ...(model === null ? [] : [model]),
        `context ${renderCount(nextContext, 'token')}`,
        ...(cost === null ? [] : [renderCost(cost)]),
      ].join(ascii ? ' - ' : ' · ');
    },
    recall(past) {
      totals = createSessionTotals();
      past.forEach(count);
    },
    tell(record) {
      if (record.type === 'chat.opened') ({ model } = record);
    },
  };
}
