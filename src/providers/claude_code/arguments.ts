/** Builds the command line of one Claude Code turn (test/agents/traps.md, Isolation; each part measured with 2.1.330). */
import { devNull } from 'node:os';
import { serverArguments } from './tool-server.ts';

export interface TurnArguments {
  /** File with the lead's instructions; a resumed session is sent its first one again. */
  readonly instructionsFile: string;
  readonly sessionId: string;
  /** True if the session starts with this turn. */
  readonly begins: boolean;
  readonly access: 'read' | 'edit';
  /** True if the turn works on a folder; without one it has no tools. */
  readonly hasFolder: boolean;
  /** True if the turn uses our tools and none of its own. */
  readonly handed: boolean;
  readonly model: string | null;
}

export function buildArguments(turn: TurnArguments): readonly string[] {
  return ['-p', ...optionsOf(turn)];
}

/** The options of every kind of turn at once: a program that lacks one of them is found before a turn. */
export function buildProbe(): readonly string[] {
  const turn = { instructionsFile: devNull, sessionId: '00000000-0000-4000-8000-000000000000', model: 'any' };
  return [
    ...optionsOf({ ...turn, begins: true, access: 'edit', hasFolder: true, handed: false }),
    ...optionsOf({ ...turn, begins: true, access: 'read', hasFolder: true, handed: true }),
  ];
}

function optionsOf(turn: TurnArguments): readonly string[] {
  return [
    ...launchArguments,
    ...accessArguments(turn),
    '--system-prompt-file',
    turn.instructionsFile,
    ...(turn.model === null ? [] : ['--model', turn.model]),
    turn.begins ? '--session-id' : '--resume',
    turn.sessionId,
  ];
}

const launchArguments: readonly string[] = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--include-partial-messages',
  // No command is ever run, and file tools stay in the working folder, even through links.
  '--restricted',
  '--setting-sources',
  '',
  '--strict-mcp-config',
  '--disable-slash-commands',
];

function accessArguments({ access, hasFolder, handed }: TurnArguments): readonly string[] {
  if (handed) return ['--tools', '', '--permission-mode', 'dontAsk', ...serverArguments];
  if (!hasFolder) return ['--tools', '', '--permission-mode', 'dontAsk'];
  const edits = access === 'edit';
  const tools = ['Read', 'Grep', 'Glob', ...(edits ? ['Edit', 'Write'] : [])];
  return [
    '--tools',
    tools.join(','),
    // Under `acceptEdits`, calls that would still ask are denied, such as a write into `.git` or `.claude`.
    '--permission-mode',
    edits ? 'acceptEdits' : 'dontAsk',
    '--disallowedTools',
    ...hidden.flatMap((path) => [`Read(${path})`, `Edit(${path})`]),
  ];
}

/** Relative to the working folder. */
const hidden = ['**/.git', '**/.git/**', '**/.env', '**/.env.*'];
