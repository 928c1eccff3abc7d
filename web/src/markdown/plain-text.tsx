import { Component, type ReactElement, type ReactNode } from 'react';

export function PlainText({ text }: { readonly text: string }): ReactElement {
  return <p className="plain-text">{text}</p>;
}

interface PlainOnFaultProps {
  readonly text: string;
  readonly children: ReactNode;
}

/** Draws a text that fails as Markdown (a thousand nested brackets) as plain text; nothing else is lost. */
export class PlainOnFault extends Component<PlainOnFaultProps, { readonly fails: boolean }> {
  override state = { fails: false };

  static getDerivedStateFromError(): { readonly fails: boolean } {
    return { fails: true };
  }

  override render(): ReactNode {
    return this.state.fails ? <PlainText text={this.props.text} /> : this.props.children;
  }
}
