import { useEffect, useLayoutEffect, useState } from 'react';

const nearEndPx = 120;

/** Keeps the newest in sight as long as the reader is there; whoever scrolls away is left in peace. */
export function useFollow(
  isLive: boolean,
  news: unknown,
): readonly [boolean, (isFollowing: boolean) => void] {
  const [isFollowing, setFollowing] = useState(false);
  useEffect(() => {
    if (!isLive) return undefined;
    const look = () => setFollowing(distanceToEnd() < nearEndPx);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [isLive]);
  useLayoutEffect(() => {
    if (isLive && isFollowing) scrollTo({ top: document.documentElement.scrollHeight });
  }, [isLive, isFollowing, news]);
  return [isFollowing, setFollowing];
}

function distanceToEnd(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY;
}
