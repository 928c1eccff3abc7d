/** The two forms that every chart repeats. */
import { fromPromise, type NonReducibleUnknown } from 'xstate';

/** An actor that rejects with its name until `provide` replaces it: `runs` wires the effects. */
export function notProvided<Output, Input = NonReducibleUnknown>(name: string) {
  return fromPromise<Output, Input>(() => Promise.reject(new Error(`${name} is not provided`)));
}

/** Performs an action or asks a guard with the output of the actor that has ended. */
export function withOutput<const Name extends string>(type: Name) {
  return {
    type,
    params: <Output>({ event }: { readonly event: { readonly output: Output } }) => ({
      output: event.output,
    }),
  } as const;
}
