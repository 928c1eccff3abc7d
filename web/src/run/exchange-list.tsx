import type { ReactElement } from 'react';
import { Empty } from '../design/placeholder.tsx';
import type { Route } from '../route.ts';
import type { ExchangeState } from '../run-state.ts';
import { VirtualList } from '../virtual-list.tsx';
import { useWords } from '../words/language.tsx';
import { ExchangeCard } from './exchange-card.tsx';
import { runWords } from './run-words.ts';

interface ExchangeListProps {
  readonly route: Extract<Route, { kind: 'run' }>;
  readonly exchanges: readonly ExchangeState[];
  /** Changes when the part above the list may have grown. */
  readonly above: unknown;
}

export function ExchangeList({ route, exchanges, above }: ExchangeListProps): ReactElement {
  const words = useWords(runWords);
  if (exchanges.length === 0) return <Empty>{words.noExchanges}</Empty>;
  return (
    <VirtualList
      items={exchanges}
      keyOf={({ id }) => id}
      label={words.exchanges}
      likelyHeightPx={300}
      above={above}
      draw={(exchange) => <ExchangeCard exchange={exchange} address={route} />}
    />
  );
}
