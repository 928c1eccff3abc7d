/** The texts that replace a tool's result, and the notices that end a model's use of tools. */

/** The last text of a turn in which the model may use no more tools. */
export const withheldNotices = {
  max_iterations: 'This is your last turn: you cannot use tools any more. Answer now.',
  repeated_failure:
    'The same call has failed three times: you cannot use tools any more. Answer now, and say what you could not look at.',
} as const;

export const noAnswerer = 'no one is there to ask';

export function refusedCall(tool: string, reason?: string): string {
  return `${tool} was not allowed to run${reason === undefined ? '' : `: ${reason}`}. Continue without it.`;
}

/** `near` names the tools that the model may have meant. */
export function unknownTool(name: string, near: readonly string[], hasTools: boolean): string {
  const known = near.length === 0 ? (hasTools ? '' : ' There are none.') : ` There are ${near.join(', ')}.`;
  return `There is no tool ${JSON.stringify(name)}.${known}`;
}

/** The model called it, so the next turn offers it (X004-9). */
export function toolNotOffered(tool: string): string {
  return `${tool} was not among the tools of this turn. It is now: look at its parameters and call it again.`;
}

export const unreadableCall = 'The call cannot be read.';
/** The turn ended before the call began. */
export const unrunCall = 'The turn ended before this tool was run.';
/** The turn ended while the call ran. */
export const unfinishedCall = 'The turn ended before the tool did.';
export const abortedCall = 'The call was aborted: it has no result.';
export const abandonedCall = 'The call was abandoned.';

/** For Codex as advisor, which may ask for nothing. */
export const advisorOnlyReads = 'collab refuses: the advisor only reads';

/** A model's history must begin with the user. */
export const openingMessage = '(The conversation begins with your words.)';
