import { Component, type ReactElement, type ReactNode } from 'react';

export function PlainText({ text }: { readonly text: string }): ReactElement {
  return <p className="plain-text">{text}</p>;
}

interface PlainOnFaultProps {
  readonly text: string;
  readonly children: ReactNode;
}

/** A text that cannot be drawn as Markdown (a thousand brackets in each other) is drawn as it is, and nothing else is lost. */
export class PlainOnFault extends Component<PlainOnFaultProps, { readonly fails: boolean }> {
  override state = { fails: false };

  static getDerivedStateFromError(): { readonly fails: boolean } {
    return { fails: true };
  }

  override render(): ReactNode {
    return this.state.fails ? <PlainText text={this.props.text} /> : this.props.children;
  }
}
