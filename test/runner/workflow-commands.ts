/** The commands that a GitHub runner finds in a log, as actions/runner reads it. */
export interface WorkflowCommand {
  readonly name: string;
  readonly data: string;
}

const known = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
]);

/** Without stop-commands and its end, which report nothing. */
export function readCommands(log: string): readonly WorkflowCommand[] {
  const commands: WorkflowCommand[] = [];
  let end: string | null = null;
  for (const line of log.split('\n')) {
    const command = readCommand(line, end);
    if (command === null) continue;
    if (end !== null) {
      if (command.name === end) end = null;
    } else if (command.name === 'stop-commands') end = command.data;
    else commands.push(command);
  }
  return commands;
}

function readCommand(line: string, end: string | null): WorkflowCommand | null {
  const [, info = '', data = ''] = /^\s*::(.*?)::(.*)$/.exec(line) ?? /##\[(.*?)\](.*)$/.exec(line) ?? [];
  const name = info.split(' ')[0]?.toLowerCase() ?? '';
  return known.has(name) || (end !== null && name === end) ? { name, data } : null;
}
