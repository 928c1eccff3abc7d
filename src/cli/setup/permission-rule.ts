/** The rule of Claude Code's settings that permits every plain `collab` command, and nothing else. */
export const permissionRule = 'Bash(collab *)';
