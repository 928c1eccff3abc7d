/** The list of tools: who may use each, how a person calls it, what it does. */
import { renderFactTable } from '../../views/tables/fact-table.ts';
import type { Style } from '../../text/paint.ts';
import { neutralLine } from '../../text/neutral-line.ts';
import { plain, styled, type Line } from '../../text/spans.ts';
import type { ListedTool } from '../commands/tools-command.ts';

const columns = [{ head: 'Tool' }, { head: 'Agent' }, { head: 'You' }] as const;

export function renderTools(tools: readonly ListedTool[], width: number): readonly Line[] {
  const rows = tools.map(({ name, policy, usage, description }) => ({
    facts: [
      { cell: [styled(neutralLine(name), 'bold')] },
      { cell: [permission(policy.agent)], alone: [plain('agent: '), permission(policy.agent)] },
      { cell: [permission(policy.user)], alone: [plain('you: '), permission(policy.user)] },
    ],
    text: [[styled(neutralLine(usage), 'cyan')], [plain(neutralLine(description))]],
  }));
  return renderFactTable({ columns, textHead: 'Command', rows }, width);
}

function permission(word: string) {
  return styled(word, ...(permissionStyles[word] ?? []));
}

const permissionStyles: Readonly<Partial<Record<string, readonly Style[]>>> = {
  allow: ['green'],
  ask: ['yellow'],
  deny: ['red'],
};
