import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';

const nearEndPx = 120;

export interface Following {
  /** The newest entry is out of sight, and the page does not scroll to it. */
  readonly isBehind: boolean;
  readonly follow: () => void;
}

interface Followed {
  /** More entries may follow. */
  readonly isLive: boolean;
  /** Changes with every new entry. */
  readonly news: unknown;
  /** The run waits for an answer, whose form is above all entries. */
  readonly isAsked: boolean;
}

/** Keeps the newest entry in sight as long as the reader is there; does not disturb a reader who scrolls away. */
export function useFollow({ isLive, news, isAsked }: Followed): Following {
  const [isFollowing, setFollowing] = useState(false);
  const [isNear, setNear] = useState(true);
  useEffect(() => {
    if (!isLive) return undefined;
    const look = () => {
      setNear(isNearEnd());
      setFollowing(isNearEnd());
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [isLive]);
  useLayoutEffect(() => {
    if (isLive && isFollowing) scrollTo({ top: document.documentElement.scrollHeight });
    setNear(isNearEnd());
  }, [isLive, isFollowing, news]);
  const showQuestion = useEffectEvent(() => {
    if (isAsked && isFollowing) document.querySelector('.open-questions')?.scrollIntoView();
  });
  useLayoutEffect(() => showQuestion(), [isAsked]);
  return { isBehind: isLive && !isFollowing && !isNear, follow: () => setFollowing(true) };
}

function isNearEnd(): boolean {
  return document.documentElement.scrollHeight - innerHeight - scrollY < nearEndPx;
}
