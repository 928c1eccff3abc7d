/** A button, and a link that looks like one. */
import type { IconNode } from 'lucide';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

interface ButtonLook {
  /** `primary` leads on, `danger` cannot be undone, `bare` has no frame, `link` reads as a part of its text. */
  readonly kind?: 'primary' | 'danger' | 'bare' | 'link' | undefined;
  readonly size?: 'small' | undefined;
  readonly icon?: IconNode | undefined;
}

export function Button(props: ButtonLook & ComponentProps<'button'>): ReactElement {
  return <button type="button" {...dressed(props)} />;
}

export function ButtonLink(props: ButtonLook & ComponentProps<'a'>): ReactElement {
  return <a {...dressed(props)} />;
}

interface Dressable extends ButtonLook {
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** Replaces the look by a class, and puts the icon before the text. */
function dressed<Props extends Dressable>({ kind, size, icon, className, children, ...rest }: Props) {
  return {
    ...rest,
    className: classNames('button', kind, size, className),
    children: (
      <>
        {icon !== undefined && <Icon of={icon} />}
        {children}
      </>
    ),
  };
}
