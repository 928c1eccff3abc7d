import { useEffect } from 'react';

/** Calls every `everyMs` while the page is visible, and when it becomes visible again. */
export function useWhileVisible(everyMs: number, call: () => void): void {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') call();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [everyMs, call]);
}
