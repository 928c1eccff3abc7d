/** How a turn of Claude Code is launched (facts/isolation.md §5; each part measured with 2.1.330). */
import { serverArguments } from './tool-server.ts';

export interface TurnArguments {
  /** Holds what the lead is told about itself; a resumed session is sent the first one again. */
  readonly instructionsFile: string;
  readonly sessionId: string;
  /** The session is begun with this turn. */
  readonly begins: boolean;
  readonly access: 'read' | 'edit';
  /** Whether it works on a folder; without one it has no tool. */
  readonly hasFolder: boolean;
  /** It uses tools of ours and none of its own. */
  readonly handed: boolean;
  readonly model: string | null;
}

export function buildArguments(turn: TurnArguments): readonly string[] {
  return [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--include-partial-messages',
    // No command is ever run, and file tools keep to the working folder, also through links.
    '--restricted',
    '--setting-sources',
    '',
    '--strict-mcp-config',
    '--disable-slash-commands',
    ...accessArguments(turn),
    '--system-prompt-file',
    turn.instructionsFile,
    ...(turn.model === null ? [] : ['--model', turn.model]),
    turn.begins ? '--session-id' : '--resume',
    turn.sessionId,
  ];
}

function accessArguments({ access, hasFolder, handed }: TurnArguments): readonly string[] {
  if (handed) return ['--tools', '', '--permission-mode', 'dontAsk', ...serverArguments];
  if (!hasFolder) return ['--tools', '', '--permission-mode', 'dontAsk'];
  const edits = access === 'edit';
  const tools = ['Read', 'Grep', 'Glob', ...(edits ? ['Edit', 'Write'] : [])];
  return [
    '--tools',
    tools.join(','),
    // Under `acceptEdits` what would still ask, such as a write into `.git` or `.claude`, is denied.
    '--permission-mode',
    edits ? 'acceptEdits' : 'dontAsk',
    '--disallowedTools',
    ...hidden.flatMap((path) => [`Read(${path})`, `Edit(${path})`]),
  ];
}

/** Relative to the working folder, which is the folder of the work. */
const hidden = ['**/.git', '**/.git/**', '**/.env', '**/.env.*'];
