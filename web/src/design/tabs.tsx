import { Tabs as Parts } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

interface TabsProps<Name extends string> {
  /** The name of the group, for screen readers. */
  readonly label: string;
  readonly names: readonly Name[];
  readonly words: Readonly<Record<Name, string>>;
  readonly open: Name;
  readonly onOpen: (name: Name) => void;
  /** Only the open one is drawn. */
  readonly panels: Readonly<Record<Name, ReactNode>>;
}

/** Panels of which one is open. The arrow keys move between the tabs, Enter opens one. */
export function Tabs<Name extends string>(props: TabsProps<Name>): ReactElement {
  const { label, names, words, open, onOpen, panels } = props;
  const openNamed = (value: string) => onOpen(names.find((name) => name === value) ?? open);
  return (
    <Parts.Root value={open} activationMode="manual" onValueChange={openNamed}>
      <Parts.List className="tabs" aria-label={label}>
        {names.map((name) => (
          <Parts.Trigger key={name} value={name}>
            {words[name]}
          </Parts.Trigger>
        ))}
      </Parts.List>
      {names.map((name) => (
        <Parts.Content key={name} value={name}>
          {panels[name]}
        </Parts.Content>
      ))}
    </Parts.Root>
  );
}
