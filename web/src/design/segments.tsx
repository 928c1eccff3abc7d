/** Buttons side by side, of which one is pressed. */
import type { ReactElement } from 'react';
import { Button } from './button.tsx';

export interface SegmentsProps<Name extends string> {
  /** The name of the group, for screen readers. */
  readonly label: string;
  readonly names: readonly Name[];
  readonly words: Readonly<Record<Name, string>>;
  readonly pressed: Name;
  readonly onPress: (name: Name) => void;
}

export function Segments<Name extends string>(props: SegmentsProps<Name>): ReactElement {
  const { label, names, words, pressed, onPress } = props;
  return (
    <div className="segments" role="group" aria-label={label}>
      {names.map((name) => (
        <Button key={name} size="small" aria-pressed={name === pressed} onClick={() => onPress(name)}>
          {words[name]}
        </Button>
      ))}
    </div>
  );
}
