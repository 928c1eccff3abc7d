/**
 * The output of a conversation: the screen of specification 000 with the output of commands, or one JSON object a
 * line.
 */
import type { CollabEvent } from '../../events/collab-event.ts';
import { createTerminalRenderer } from '../../views/screen/terminal-renderer.ts';
import { neutralise } from '../../text/neutralise.ts';
import { createResponseProjection, type ResponseProjection } from '../../views/screen/response-projection.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { jobLog } from '../job-log.ts';
import { printableError } from '../printable-error.ts';
import type { Session } from '../session.ts';
import { renderJsonLine } from '../../text/render-json.ts';

export interface ChatScreen {
  /** Starts a part that `end` closes. An answer has statistics; a tool that the user runs has none. */
  begin(what: 'answer' | 'tool'): void;
  event(event: CollabEvent): void;
  end(): void;
  /** Leaves the terminal to a question, which shows the edits of this call. Returns the function that takes it back. */
  hold(callId: string | null): () => void;
  /** The line above the next prompt: the model, its context and the cost; null if there is nothing to say. */
  status(): string | null;
  /** Receives the events of a conversation that was opened, for the status. */
  recall(past: readonly CollabEvent[]): void;
  /** Prints a command's output. */
  print(command: string, text: string): void;
  /** Prints the reason why nothing was done. */
  refuse(message: string, hint: string | null): void;
  /** Prints a record that a calling program needs and a person sees anyway. */
  tell(record: ChatRecord): void;
}

export type ChatRecord =
  | {
      readonly type: 'chat.opened';
      readonly conversation_id: string;
      readonly resumed: boolean;
      readonly lead: string;
      readonly model: string | null;
    }
  | {
      readonly type: 'chat.done';
      /** `done` is the outcome of a command. */
      readonly outcome: 'answered' | 'failed' | 'stopped' | 'refused' | 'done';
      /** The current message of the conversation. */
      readonly current_node: string | null;
    };

export function createTextScreen(session: Session, { ascii }: { readonly ascii: boolean }): ChatScreen {
  const renderer = createTerminalRenderer({
    write: jobLog(session.env, session.out),
    cwd: session.cwd,
    color: session.screen.color.out,
    ascii,
  });
  let projection: ResponseProjection | null = null;
  let introduced = '';
  let withStatistics = true;
  const render = (responses: ReturnType<ResponseProjection['push']>): void => {
    for (const response of responses) {
      if (!withStatistics && (response.type === 'init' || response.type === 'result')) continue;
      if (response.type === 'init') {
        const label = `${response.content} ${response.model ?? ''}`;
        if (label === introduced) continue;
        introduced = label;
      }
      renderer.render(response);
    }
  };
  return {
    begin(what) {
      withStatistics = what === 'answer';
      projection = createResponseProjection();
    },
    event(event) {
      if (projection !== null) render(projection.push(event));
      tellRepeat(session, event);
    },
    end() {
      if (projection !== null) render(projection.end());
      renderer.finish();
      projection = null;
    },
    hold: () => () => {},
    status: () => null,
    recall: () => {},
    print(_command, text) {
      session.out(`${neutralise(text).trimEnd()}\n`);
    },
    refuse(message, hint) {
      session.err(`${printableError(message)}\n`);
      if (hint !== null) session.err(`  ${printableError(hint)}\n`);
    },
    tell: () => {},
  };
}

/** Prints that a failed request is sent again. */
export function tellRepeat({ err }: Pick<Session, 'err'>, event: CollabEvent): void {
  if (event.type !== 'error' || event.repeat_in_ms === undefined) return;
  err(`${printableError(event.message)}; trying again in ${Math.ceil(event.repeat_in_ms / 1000)} s\n`);
}

export function createJsonScreen({ out }: Pick<Session, 'out'>): ChatScreen {
  const line = (value: object): void => out(renderJsonLine(value));
  return {
    begin: () => {},
    event: line,
    end: () => {},
    hold: () => () => {},
    status: () => null,
    recall: () => {},
    print: (command, text) => line({ type: 'chat.output', command, text }),
    refuse: (message, hint) =>
      line({
        type: 'chat.refused',
        message: maskSecrets(message).text,
        ...(hint === null ? {} : { hint: maskSecrets(hint).text }),
      }),
    tell: line,
  };
}
