import { Collapsible } from 'radix-ui';
import { useState, type ReactElement, type ReactNode } from 'react';

interface FoldProps {
  /** Names it within the page: what was opened stays open while it is scrolled out of sight. */
  readonly id: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
}

const opened = new Set<string>();

/** Something that is looked at only on demand; until then it is not even drawn. */
export function Fold({ id, head, children }: FoldProps): ReactElement {
  const [isOpen, setOpen] = useState(() => opened.has(id));
  const change = (next: boolean) => {
    if (next) opened.add(id);
    else opened.delete(id);
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
