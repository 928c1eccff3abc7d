import { useEffect, useState, type ComponentType, type ReactElement, type ReactNode } from 'react';

export interface LatePart<Props> {
  (props: Props & { readonly fallback: ReactNode }): ReactElement;
  /** Loads the script before a place needs it: the first one then shows the part at once. */
  readonly ahead: () => void;
}

/**
 * Returns a component that loads its script with the first place that needs it. React's `lazy` is not used: its
 * boundary shows a loaded part up to 300 ms late, because it keeps a fallback for that long.
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): LatePart<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadPart = async () => (loaded = await load());

  function Late({ fallback, ...props }: Props & { readonly fallback: ReactNode }): ReactElement {
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part !== null) return undefined;
      let isGone = false;
      loadPart().then(
        (next) => isGone || setPart(() => next),
        (error: unknown) => isGone || setFailure({ error }),
      );
      return () => {
        isGone = true;
      };
    }, [Part]);
    if (failure !== null) throw failure.error;
    if (Part === null) return <>{fallback}</>;
    // `Props` without `fallback` is what the part takes; TypeScript does not follow the rest of a generic.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return <Part {...(props as unknown as Props)} />;
  }

  return Object.assign(Late, {
    // The place itself reports a part that cannot be loaded.
    ahead: () => void loadPart().catch(() => undefined),
  });
}
