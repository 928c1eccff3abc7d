/** The states of what a reader looks at. */
import type { ReactElement } from 'react';
import { severities } from '../../src/client/review.ts';
import { Badge } from '../src/design/badge.tsx';
import { Alert, Banner } from '../src/design/banner.tsx';
import { BarChart } from '../src/design/bar-chart.tsx';
import { Button } from '../src/design/button.tsx';
import { Card } from '../src/design/card.tsx';
import { Empty, Loading, Skeleton } from '../src/design/placeholder.tsx';
import { Icon } from '../src/design/icon.tsx';
import * as icons from '../src/design/icons.ts';
import { PathText } from '../src/design/path-text.tsx';
import { SeverityMark } from '../src/design/severity-mark.tsx';
import { ShareBar } from '../src/design/share-bar.tsx';
import type { Tone } from '../src/design/tone.ts';
import { phases } from '../../src/client/questions.ts';
import { runWords } from '../src/run/run-words.ts';
import { startWords } from '../src/start/start-words.ts';
import { useFormat } from '../src/words/format.ts';
import { useWords } from '../src/words/language.tsx';
import { shellWords } from '../src/words/shell-words.ts';
import { State } from './state.tsx';

const tones = ['neutral', 'active', 'good', 'yellow', 'orange', 'red'] as const satisfies readonly Tone[];

function Badges(): ReactElement {
  const { running } = useWords(shellWords);
  return (
    <>
      {tones.map((tone) => (
        <State key={tone} name={tone}>
          <Badge tone={tone}>{running}</Badge>
        </State>
      ))}
    </>
  );
}

function Banners(): ReactElement {
  const words = useWords(shellWords);
  return (
    <>
      {tones.map((tone) => (
        <State key={tone} name={tone}>
          <Banner tone={tone} action={<Button>{words.reconnect}</Button>}>
            <strong>{words.away}</strong> {words.awayWhy}
          </Banner>
        </State>
      ))}
    </>
  );
}

function Alerts(): ReactElement {
  const words = useWords(shellWords);
  return (
    <>
      <State name="with a hint">
        <Alert hint={words.awayWhy}>{words.away}</Alert>
      </State>
      <State name="with a way on">
        <Alert action={<Button>{words.again}</Button>}>{words.away}</Alert>
      </State>
    </>
  );
}

function Cards(): ReactElement {
  const { about } = useWords(startWords);
  return (
    <>
      {tones.map((tone) => (
        <State key={tone} name={tone}>
          <Card tone={tone}>{about.review}</Card>
        </State>
      ))}
    </>
  );
}

function Empties(): ReactElement {
  return <Empty>{useWords(startWords).noRuns}</Empty>;
}

function Loadings(): ReactElement {
  return <Loading>{useWords(shellWords).loading}</Loading>;
}

function Skeletons(): ReactElement {
  return (
    <State name="three rows">
      <Skeleton rows={3} />
    </State>
  );
}

function SeverityMarks(): ReactElement {
  const { found } = useWords(startWords);
  return (
    <>
      {severities.map((severity) => (
        <SeverityMark key={severity} severity={severity}>
          {found(3, severity)}
        </SeverityMark>
      ))}
    </>
  );
}

function BarCharts(): ReactElement {
  const { phase, costBy } = useWords(runWords);
  const format = useFormat();
  const bars = phases.map((name, index) => ({
    name: phase[name],
    value: index,
    figure: format.usd(index),
  }));
  return (
    <State name="the first one is 0">
      <BarChart label={costBy.phase} bars={bars} />
    </State>
  );
}

function ShareBars(): ReactElement {
  const shares = ['reviewed', 'scanned', 'skipped', 'failed'].map((name) => ({ name, value: 1 }));
  return (
    <>
      <State name="all shares">
        <ShareBar shares={shares} />
      </State>
      <State name="nothing to share">
        <ShareBar shares={[]} />
      </State>
    </>
  );
}

const path = 'packages/storefront/gift-card-balance-lookup-form.tsx';

function PathTexts(): ReactElement {
  return (
    <>
      <State name="whole">
        <PathText text={path} />
      </State>
      <State name="shortened">
        <PathText text={path} most={28} />
      </State>
    </>
  );
}

function Icons(): ReactElement {
  return (
    <>
      {Object.entries(icons).map(([name, shapes]) => (
        <span key={name}>
          <Icon of={shapes} /> {name}
        </span>
      ))}
    </>
  );
}

export const surfaces = {
  Badge: Badges,
  Banner: Banners,
  Alert: Alerts,
  Card: Cards,
  Empty: Empties,
  Loading: Loadings,
  Skeleton: Skeletons,
  SeverityMark: SeverityMarks,
  BarChart: BarCharts,
  ShareBar: ShareBars,
  PathText: PathTexts,
  Icon: Icons,
};
