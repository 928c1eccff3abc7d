/** What is typed behind the commands of the protocol, to a conversation at a terminal and to a server alike. */
import { consultPhases } from '../../tags/tags.ts';

/** Behind `/run`: a task and then flags. A task is said as it comes: an apostrophe in it quotes nothing. */
export function readTaskLine(rest: string): { readonly task: string; readonly flags: string } {
  const [, task = '', flags = ''] = /^([^]*?)(?:(?:^|\s)(-[^]*))?$/.exec(rest) ?? [];
  return { task: task.trim(), flags };
}

export const consultUsage = `/consult ${consultPhases.join('|')} <what you want to know>`;

export function readConsultLine(rest: string): { readonly phase: string; readonly brief: string } {
  const [, phase = '', brief = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
  return { phase, brief };
}
