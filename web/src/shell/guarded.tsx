import { Component, type ReactNode } from 'react';
import { Alert } from '../design/banner.tsx';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';

/** Shows the error of a part that fails, while the rest of the page stays. React requires a class for this. */
export class Guarded extends Component<
  { readonly children: ReactNode; readonly address: string },
  { readonly failure: string | null }
> {
  override state = { failure: null };

  /** At another address it is rendered again; parts that did not fail keep their state, and the focus in them. */
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
  return <Alert hint={detail}>{words.broken}</Alert>;
}
