import { useEffect, useLayoutEffect, useState } from 'react';

const nearEndPx = 120;

export interface Following {
  /** The newest is out of sight, and the reader is left in peace. */
  readonly isBehind: boolean;
  readonly follow: () => void;
}

/** Keeps the newest in sight as long as the reader is there; whoever scrolls away is left in peace. */
export function useFollow(isLive: boolean, news: unknown): Following {
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
  return { isBehind: isLive && !isFollowing && !isNear, follow: () => setFollowing(true) };
}

function isNearEnd(): boolean {
  return document.documentElement.scrollHeight - innerHeight - scrollY < nearEndPx;
}
