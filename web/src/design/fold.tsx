import { Collapsible } from 'radix-ui';
import { createContext, use, useState, type ReactElement, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { closed, opened } from './icons.ts';

interface FoldProps {
  /** Its name within its scope: an open fold stays open while it is out of sight. */
  readonly id: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
}

/** The surroundings of the folds: a run, a conversation. */
export const FoldScope = createContext('');

const openFolds = new Set<string>();

/** Hides content until the reader opens it; until then it is not even drawn. */
export function Fold({ id, head, children }: FoldProps): ReactElement {
  const key = `${use(FoldScope)} ${id}`;
  const [isOpen, setOpen] = useState(() => openFolds.has(key));
  const change = (next: boolean) => {
    if (next) openFolds.add(key);
    else openFolds.delete(key);
    setOpen(next);
  };
  return (
    <Collapsible.Root className="fold" open={isOpen} onOpenChange={change}>
      <Collapsible.Trigger className="fold-head">
        <Icon of={isOpen ? opened : closed} />
        <span>{head}</span>
      </Collapsible.Trigger>
      <Collapsible.Content className="fold-body">{children}</Collapsible.Content>
    </Collapsible.Root>
  );
}
