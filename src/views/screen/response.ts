/**
 * The typed stream of specification 000. Field names are the wire's. `speaker` is our extension: the speaking agent, if
 * it is not the session's own agent (X000-10).
 */
import type { SpeakingAgent } from '../../events/speakers.ts';
import type { ErrorType } from '../stream/event.ts';

export type ResponseContentType = 'text' | 'markdown';

/** A closed set (X000-7): the three of 000's upstream and the nine of specification 002. */
export type ResponseErrorType = ErrorType | 'not_logged_in' | 'cli_not_found' | 'network_error';

interface Spoken {
  readonly speaker?: SpeakingAgent;
}

/** The session opens; `content` is the agent's name, e.g. "Claude Code". */
export interface InitResponse {
  readonly type: 'init';
  readonly content: string;
  readonly session_id?: string;
  readonly model?: string;
  readonly content_type: 'text';
}

/** A part of a message, or the whole message. */
export interface MessageResponse extends Spoken {
  readonly type: 'message';
  readonly content: string;
  readonly content_type: ResponseContentType;
}

/** A tool call; `content` is its main argument: the command, the path, the pattern. */
export interface ToolUseResponse extends Spoken {
  readonly type: 'tool_use';
  readonly content: string;
  readonly tool: string;
  readonly content_type: 'text';
}

/** A tool's complete result. */
export interface ToolResultResponse extends Spoken {
  readonly type: 'tool_result';
  readonly content: string;
  readonly tool: string;
  readonly content_type: 'text';
}

/** Never shown to the user by a renderer (R000-13). `tool` is our extension: the tool that failed (X000-9). */
export interface ErrorResponse extends Spoken {
  readonly type: 'error';
  readonly content: string;
  readonly tool?: string;
  readonly error_type?: ResponseErrorType;
  readonly content_type: 'text';
}

/** The session ends; `content` holds the statistics, `token` the context size of the next session. */
export interface ResultResponse {
  readonly type: 'result';
  readonly content: string;
  readonly token: number;
  readonly content_type: 'text';
}

export type Response =
  | InitResponse
  | MessageResponse
  | ToolUseResponse
  | ToolResultResponse
  | ErrorResponse
  | ResultResponse;
