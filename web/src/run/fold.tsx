import { Collapsible } from 'radix-ui';
import { createContext, use, useState, type ReactElement, type ReactNode } from 'react';

interface FoldProps {
  /** Its name within its scope: an open fold stays open while it is out of sight. */
  readonly id: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
}

/** The surroundings of the folds: a run, a conversation. */
export const FoldScope = createContext('');

const opened = new Set<string>();

/** Hides content until the reader opens it; until then it is not even drawn. */
export function Fold({ id, head, children }: FoldProps): ReactElement {
  const key = `${use(FoldScope)} ${id}`;
  const [isOpen, setOpen] = useState(() => opened.has(key));
  const change = (next: boolean) => {
    if (next) opened.add(key);
    else opened.delete(key);
    setOpen(next);
  };
  return (
    <Collapsible.Root className="fold" open={isOpen} onOpenChange={change}>
      <Collapsible.Trigger className="fold-head">
        <span className="sign" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        {head}
      </Collapsible.Trigger>
      <Collapsible.Content className="fold-body">{children}</Collapsible.Content>
    </Collapsible.Root>
  );
}
