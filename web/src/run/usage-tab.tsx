import type { ReactElement } from 'react';
import { countTokens, neutralise } from '../../../src/client/run-events.ts';
import { BarChart, type Bar } from '../design/bar-chart.tsx';
import { Empty } from '../design/placeholder.tsx';
import type { RunState, SpendingState, UsageState } from '../run-state.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';
import { runWords } from './run-words.ts';

/** Shows tokens, money, the context of the session and the rest of the budget. */
export function UsageTab({ run }: { readonly run: RunState }): ReactElement {
  const words = useWords(runWords);
  const format = useFormat();
  const { usage, context, budgets } = run;
  if (usage.total.calls === 0 && budgets.length === 0) return <Empty>{words.noUsage}</Empty>;
  return (
    <div>
      <UsageCharts usage={usage} />
      <div className="scrolling" tabIndex={0} role="region" aria-label={words.usage}>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">{words.agent}</th>
              <th scope="col">{words.model}</th>
              <th scope="col">{words.calls}</th>
              <th scope="col">{words.input}</th>
              <th scope="col">{words.outputTokens}</th>
              <th scope="col">{words.cacheRead}</th>
              <th scope="col">{words.cacheWrite}</th>
              <th scope="col">{words.cost}</th>
            </tr>
          </thead>
          <tbody>
            {usage.byModel.map(({ role, model, ...spent }) => (
              <tr key={`${role} ${model}`}>
                <th scope="row">{words.roles[role]}</th>
                <td>{neutralise(model)}</td>
                <Figures spent={spent} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {words.total}
              </th>
              <Figures spent={usage.total} />
            </tr>
          </tfoot>
        </table>
      </div>
      {context !== null && (
        <p>
          {words.context}:{' '}
          {words.contextOf(format.count(context.tokens), format.count(context.max), percentOf(context))}
        </p>
      )}
      {budgets.map(({ unit, spent, left }) => (
        <p key={unit}>
          {words.budget} ({words.budgetUnit[unit]}): {words.spent} {format.count(spent)},{' '}
          {left === null ? words.noLimit : `${words.left} ${format.count(left)}`}
        </p>
      ))}
    </div>
  );
}

/** Draws cost by phase, agent and model if all of it is known, otherwise tokens. A chart of a single bar would show nothing. */
function UsageCharts({ usage }: { readonly usage: UsageState }): ReactElement | null {
  const words = useWords(runWords);
  const format = useFormat();
  const isPriced = usage.total.costUsd !== null && usage.total.costUsd > 0;
  const titles = isPriced ? words.costBy : words.tokensBy;
  const measure = ({ costUsd, tokens }: SpendingState): number =>
    isPriced ? (costUsd ?? 0) : countTokens(tokens);
  const barsOf = (named: readonly (readonly [string, SpendingState])[]): readonly Bar[] =>
    [...new Set(named.map(([name]) => name))].map((name) => {
      const parts = named.filter(([other]) => other === name);
      const value = parts.reduce((sum, [, spent]) => sum + measure(spent), 0);
      return { name, value, figure: isPriced ? format.usd(value) : format.count(value) };
    });
  const charts = [
    [titles.phase, barsOf(usage.byPhase.map((spent) => [words.phase[spent.phase], spent]))],
    [titles.agent, barsOf(usage.byModel.map((spent) => [words.roles[spent.role], spent]))],
    [titles.model, barsOf(usage.byModel.map((spent) => [neutralise(spent.model), spent]))],
  ] as const;
  const shown = charts.filter(([, bars]) => bars.length > 1);
  if (shown.length === 0) return null;
  return (
    <div className="charts">
      {shown.map(([label, bars]) => (
        <BarChart key={label} label={label} bars={bars} />
      ))}
    </div>
  );
}

function Figures({ spent: { tokens, calls, costUsd } }: { readonly spent: SpendingState }): ReactElement {
  const { notKnown } = useWords(shellWords);
  const format = useFormat();
  const figures = [
    calls,
    tokens.input,
    tokens.output,
    tokens.cache_read,
    tokens.cache_write_5m + tokens.cache_write_1h,
  ];
  return (
    <>
      {figures.map((figure, index) => (
        // The columns never change places.
        // oxlint-disable-next-line react/no-array-index-key
        <td key={index} className="figure">
          {format.count(figure)}
        </td>
      ))}
      <td className="figure">{costUsd === null ? notKnown : format.usd(costUsd)}</td>
    </>
  );
}

/** Truncated, not rounded: it never shows more than there is. */
function percentOf({ tokens, max }: { readonly tokens: number; readonly max: number }): string {
  return String(Math.floor((tokens * 1000) / max) / 10);
}
