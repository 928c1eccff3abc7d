import type { ReactElement } from 'react';
import { FoldScope } from '../design/fold.tsx';
import { Loading } from '../design/placeholder.tsx';
import { Tabs } from '../design/tabs.tsx';
import { LateReview } from '../late-parts.ts';
import { runTabs, type Route, type RunTab } from '../route.ts';
import { FailureLine } from '../server/failure-line.tsx';
import { useServer } from '../server/server-context.tsx';
import { MissingPlace } from '../server/missing-place.tsx';
import { goTo } from '../use-route.ts';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';
import { Announcer } from './announcer.tsx';
import { EntryList } from './entry-list.tsx';
import { ExchangeList } from './exchange-list.tsx';
import { isLoading } from './is-loading.ts';
import { NowLine } from './now-line.tsx';
import { OpenQuestions } from './open-questions.tsx';
import { PhaseLine } from './phase-line.tsx';
import { RunHeader, standingId } from './run-header.tsx';
import { runWords } from './run-words.ts';
import { UsageTab } from './usage-tab.tsx';
import { useRun, type UsedRun } from './use-run.ts';

type RunRoute = Extract<Route, { kind: 'run' }>;

/** Shows a running or finished run. */
export function RunView(route: RunRoute): ReactElement {
  const words = useWords(runWords);
  const { loading } = useWords(shellWords);
  const used = useRun(route.conversation, route.run);
  const { run, detail, standing } = used;
  const { tenant } = useServer();
  // The command line knows only the runs of its own tenant.
  const command = standing.canGoOn && tenant === 'local' ? `collab resume ${route.run}` : null;
  const isOver = standing.state === 'ended' || standing.state === 'interrupted';
  if (detail.value === null && detail.failure?.status === 404) return <MissingRun {...route} />;
  const tab = route.tab ?? fittingTab(used);
  const isWaiting = isLoading(used);
  return (
    <FoldScope value={route.run}>
      <article className="run" aria-label={words.run} data-focus-at={standingId}>
        <RunHeader
          route={route}
          used={used}
          isExplainedBelow={tab === 'review' && (detail.value?.result ?? null) !== null}
        />
        <Announcer run={run} standing={standing} />
        {detail.failure !== null && <FailureLine failure={detail.failure} onAgain={detail.reload} />}
        {!isWaiting && <NowLine activities={run.activities} state={standing.state} command={command} />}
        {!isWaiting && <PhaseLine phases={run.phases} isOver={isOver} />}
        <OpenQuestions route={route} used={used} />
        {isWaiting ? (
          <Loading>{loading}</Loading>
        ) : (
          <Tabs
            label={words.run}
            names={runTabs}
            words={words.tabs}
            open={tab}
            onOpen={(next) => goTo({ ...route, tab: next, finding: null })}
            panels={{
              timeline: <EntryList run={run} isLive={standing.state !== 'ended'} />,
              exchanges: <ExchangeList route={route} exchanges={run.exchanges} above={run.phases} />,
              review: (
                <LateReview
                  fallback={<Loading>{loading}</Loading>}
                  route={route}
                  reviews={run.reviews}
                  detail={used.detail}
                />
              ),
              usage: <UsageTab run={run} />,
            }}
          />
        )}
      </article>
    </FoldScope>
  );
}

function MissingRun({ conversation, run }: RunRoute): ReactElement {
  const words = useWords(runWords);
  return (
    <>
      <h1>{words.missing}</h1>
      <MissingPlace
        name={run}
        why={words.missingWhy}
        next={{ kind: 'conversation', conversation }}
        nextWords={words.toConversation}
      />
    </>
  );
}

/** A finished review or fix opens at its findings; every other run opens at its timeline. */
function fittingTab({ detail }: UsedRun): RunTab {
  const isReview = detail.value?.kind === 'review' || detail.value?.kind === 'fix';
  return isReview && detail.value?.state === 'ended' ? 'review' : 'timeline';
}
