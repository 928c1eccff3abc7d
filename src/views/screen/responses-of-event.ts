import type { CollabEvent, CollabEventOf, ErrorKind } from '../../events/collab-event.ts';
import { mainArgument } from './main-argument.ts';
import type { Response, ResponseErrorType } from './response.ts';
import type { SpeakingAgent } from '../../events/speakers.ts';
import { createTextJoin } from './text-join.ts';
import { spokenBy, createToolPairs } from './pair-tool-events.ts';
import { streamingErrorTypes } from '../stream/errors.ts';

export function createSayings() {
  const tools = createToolPairs();
  const text = createTextJoin();

  function message(content: string, speaker: SpeakingAgent | null): readonly Response[] {
    if (content === '') return [];
    tools.interrupt();
    return [{ type: 'message', content, ...spokenBy(speaker), content_type: 'markdown' }];
  }

  function hidden(response: Response): readonly Response[] {
    tools.interrupt();
    return [response];
  }

  function shown(responses: readonly Response[]): readonly Response[] {
    if (responses.length > 0) text.cut();
    return responses;
  }

  function toolResult(
    event: CollabEventOf<'tool.result'>,
    speaker: SpeakingAgent | null,
  ): readonly Response[] {
    const { call_id, name, content, is_error, step } = event;
    if (!is_error) return shown(tools.result(call_id, { tool: name, content, speaker, step }));
    tools.forget(call_id);
    return hidden({ type: 'error', content, tool: name, ...spokenBy(speaker), content_type: 'text' });
  }

  function respond(event: CollabEvent, speaker: SpeakingAgent | null): readonly Response[] {
    switch (event.type) {
      case 'text.delta':
      case 'text.end':
        return message(text.add(event), speaker);
      case 'media':
        return message(text.addLine(`[${event.kind}]`), speaker);
      case 'ui':
        return message(text.addLine('[ui]'), speaker);
      case 'tool.call':
        return shown([
          tools.use(event.call_id, {
            tool: event.name,
            content: mainArgument(event),
            speaker,
            step: event.step,
          }),
        ]);
      case 'tool.result':
        return toolResult(event, speaker);
      case 'file.changed':
        return shown(
          tools.aside(
            { tool: changeTools[event.kind], content: event.path, speaker, step: event.step },
            null,
          ),
        );
      case 'plan.updated':
        return shown(
          tools.aside({ tool: 'TodoWrite', content: '', speaker, step: event.step }, planText(event)),
        );
      case 'error':
        return hidden(errorResponse(event, speaker));
      case 'step.abandoned':
        tools.abandon(event.step);
        return [];
      default:
        return [];
    }
  }

  return {
    /** Returns nothing for events that do not reach the screen of specification 000 (requirements.md B.3). */
    of: respond,
  };
}

const changeTools = { add: 'Write', update: 'Edit', delete: 'Edit' } as const;

function errorResponse(event: CollabEventOf<'error'>, speaker: SpeakingAgent | null): Response {
  const errorType = responseErrorType(event.kind);
  return {
    type: 'error',
    content: event.message,
    ...(errorType === null ? {} : { error_type: errorType }),
    ...spokenBy(speaker),
    content_type: 'text',
  };
}

function planText({ items }: CollabEventOf<'plan.updated'>): string {
  return items.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`).join('\n');
}

/** Returns the name of an error kind in specification 000's stream (requirements.md B.6); null if it is not reported. */
export function responseErrorType(kind: ErrorKind): ResponseErrorType | null {
  return byKind[kind];
}

/** 000 has three names; for all other kinds the name of specification 002 is used (X000-7). */
const byKind: Readonly<Record<ErrorKind, ResponseErrorType | null>> = {
  ...streamingErrorTypes,
  cli_missing: 'cli_not_found',
  auth: 'not_logged_in',
  rate_limit: 'network_error',
  overloaded: 'network_error',
  server: 'network_error',
  network: 'network_error',
  timeout: 'network_error',
};
