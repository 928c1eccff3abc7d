import type { ReactElement } from 'react';
import type { Route } from '../route.ts';
import type { ExchangeState } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { ExchangeCard } from './exchange-card.tsx';
import { runWords } from './run-words.ts';

interface ExchangeListProps {
  readonly route: Extract<Route, { kind: 'run' }>;
  readonly exchanges: readonly ExchangeState[];
}

export function ExchangeList({ route, exchanges }: ExchangeListProps): ReactElement {
  const words = useWords(runWords);
  if (exchanges.length === 0) return <p className="quiet">{words.noExchanges}</p>;
  return (
    <ol className="exchanges" aria-label={words.exchanges}>
      {exchanges.map((exchange) => (
        <li key={exchange.id}>
          <ExchangeCard exchange={exchange} address={route} />
        </li>
      ))}
    </ol>
  );
}
