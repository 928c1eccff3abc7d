import { useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';

interface ForeignTextProps {
  readonly text: string;
  /** A label for readers who reach it with Tab. */
  readonly label: string;
}

/** Shows a tool's or an agent's text unchanged. */
export function ForeignText({ text, label }: ForeignTextProps): ReactElement {
  const element = useRef<HTMLPreElement>(null);
  const [canScroll, setCanScroll] = useState(false);
  useLayoutEffect(() => {
    const look = () => setCanScroll(element.current !== null && isCut(element.current));
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, [text]);
  // Only a focused element can be scrolled by keys.
  const stop = canScroll ? { tabIndex: 0, role: 'group', 'aria-label': label } : {};
  return (
    <pre className="foreign" ref={element} {...stop}>
      {neutralise(text)}
    </pre>
  );
}

function isCut({ scrollHeight, clientHeight, scrollWidth, clientWidth }: Element): boolean {
  return scrollHeight > clientHeight || scrollWidth > clientWidth;
}
