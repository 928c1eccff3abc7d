/** The list of providers: whether each is ready, what it can be, its login, its models, and what is missing. */
import { renderFactTable } from '../../views/tables/fact-table.ts';
import { outcomeStyle } from '../../views/tables/styles.ts';
import { neutralise } from '../../text/neutralise.ts';
import { neutralLine } from '../../text/neutral-line.ts';
import { plain, styled, type Line } from '../../text/spans.ts';
import { renderFault, type ProviderLine } from '../setup/provider-list.ts';

const columns = [{ head: 'Provider' }, { head: 'State' }, { head: 'Roles' }, { head: 'Login' }] as const;

export function renderProviders(providers: readonly ProviderLine[], width: number): readonly Line[] {
  const rows = providers.map((provider) => {
    const { name, roles, auth_mode } = provider;
    const state = stateOf(provider);
    return {
      facts: [
        { cell: [styled(neutralLine(name), 'bold')] },
        { cell: [styled(state, ...outcomeStyle(state))] },
        { cell: [plain(roles.join(', '))] },
        { cell: [plain(auth_mode ?? '-')], alone: auth_mode === null ? null : [plain(auth_mode)] },
      ],
      text: textOf(provider),
    };
  });
  return renderFactTable({ columns, textHead: 'Origin, models and remarks', rows }, width);
}

function stateOf({ ready, faults }: ProviderLine): string {
  if (ready) return 'ready';
  return faults.length > 0 ? 'faulty' : 'missing';
}

function textOf({ origin, models, missing, faults }: ProviderLine): readonly Line[] {
  return [
    [styled(neutralLine(origin), 'dim')],
    ...(models.length === 0 ? [] : [[styled('models: ', 'dim'), plain(neutralLine(models.join(', ')))]]),
    ...(missing === null ? [] : [[plain(neutralLine(missing))]]),
    ...faults.flatMap((fault) =>
      neutralise(renderFault(fault))
        .split('\n')
        .map((line) => [plain(line.trim())]),
    ),
  ];
}
