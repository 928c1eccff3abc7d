import type { IconNode } from 'lucide';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { good, info, warning } from './icons.ts';
import type { Tone } from './tone.ts';

interface BannerProps extends ComponentProps<'div'> {
  readonly tone: Tone;
  /** Default: the icon of the tone. */
  readonly icon?: IconNode;
  /** The way on, beside the text. */
  readonly action?: ReactNode;
}

/** A notice across its column: something that the reader should know here. Its caller gives it the role. */
export function Banner({ tone, icon, action, className, children, ...rest }: BannerProps): ReactElement {
  return (
    <div className={classNames('banner', tone, className)} {...rest}>
      <Icon of={icon ?? icons[tone]} />
      <div>{children}</div>
      {action}
    </div>
  );
}

const icons: Readonly<Record<Tone, IconNode>> = {
  neutral: info,
  active: info,
  good,
  yellow: warning,
  orange: warning,
  red: warning,
};

interface AlertProps extends Pick<BannerProps, 'id' | 'action' | 'children'> {
  /** More about it, below. */
  readonly hint?: ReactNode;
}

/** Something that did not work; screen readers read it at once. */
export function Alert({ hint, children, ...rest }: AlertProps): ReactElement {
  return (
    <Banner tone="red" role="alert" {...rest}>
      {children}
      {hint !== undefined && <span className="hint"> {hint}</span>}
    </Banner>
  );
}
