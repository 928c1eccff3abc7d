import { useMemo, useSyncExternalStore } from 'react';
import { linkTo, parseRoute, type Route } from './route.ts';

export function useRoute(): Route {
  const hash = useSyncExternalStore(onHashChange, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

export function goTo(route: Route): void {
  location.hash = linkTo(route);
}

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
