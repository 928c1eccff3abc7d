/** Parses the arguments of the protocol's commands, for a conversation at a terminal and for a server alike. */
import { consultPhases } from '../../tags/tags.ts';

/**
 * Parses the arguments of `/run`: a task, then flags. The task is taken literally: an apostrophe in it quotes nothing.
 */
export function readTaskLine(rest: string): { readonly task: string; readonly flags: string } {
  const [, task = '', flags = ''] = /^([^]*?)(?:(?:^|\s)(-[^]*))?$/.exec(rest) ?? [];
  return { task: task.trim(), flags };
}

export const consultUsage = `/consult ${consultPhases.join('|')} <what you want to know>`;

export function readConsultLine(rest: string): { readonly phase: string; readonly brief: string } {
  const [, phase = '', brief = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
  return { phase, brief };
}
