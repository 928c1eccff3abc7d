import { useEffect } from 'react';

const news = new EventTarget();

/** Something was said in a conversation, or came to its end: a list of them is out of date. */
export function tellConversationNews(): void {
  news.dispatchEvent(new Event('news'));
}

export function useConversationNews(call: () => void): void {
  useEffect(() => {
    news.addEventListener('news', call);
    return () => news.removeEventListener('news', call);
  }, [call]);
}
