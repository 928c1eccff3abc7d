import { useEffect } from 'react';

const news = new EventTarget();

/** Reports a new message or the end of a conversation: lists of conversations are out of date. */
export function tellConversationNews(): void {
  news.dispatchEvent(new Event('news'));
}

export function useConversationNews(call: () => void): void {
  useEffect(() => {
    news.addEventListener('news', call);
    return () => news.removeEventListener('news', call);
  }, [call]);
}
