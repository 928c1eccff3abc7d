import type { ComponentProps, ReactElement } from 'react';
import { classNames } from './class-names.ts';
import type { Tone } from './tone.ts';

interface CardProps extends ComponentProps<'article'> {
  readonly tone: Tone;
}

/** A framed thing of its own among others, such as a finding; its tone is at its edge. */
export function Card({ tone, className, ...rest }: CardProps): ReactElement {
  return <article className={classNames('card', tone, className)} {...rest} />;
}
