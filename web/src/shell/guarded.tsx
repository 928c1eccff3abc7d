import { Component, type ReactNode } from 'react';
import { useWords } from '../words/language.tsx';
import { shellWords } from './shell-words.ts';

/** A part that fails says so, and the rest of the page stays. React knows no other form of this than a class. */
export class Guarded extends Component<
  { readonly children: ReactNode; readonly address: string },
  { readonly failure: string | null }
> {
  override state = { failure: null };

  /** Elsewhere it is tried anew; what did not fail keeps its state, and the focus in it. */
  override componentDidUpdate({ address }: { readonly address: string }) {
    if (address !== this.props.address && this.state.failure !== null) this.setState({ failure: null });
  }

  static getDerivedStateFromError(error: unknown) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : <Broken detail={failure} />;
  }
}

function Broken({ detail }: { readonly detail: string }): ReactNode {
  const words = useWords(shellWords);
  return (
    <p className="notice bad" role="alert">
      {words.broken} <span className="hint">{detail}</span>
    </p>
  );
}
