/** Every component of `web/src/design` in every state, with words of the page: a section for each, by its name. */
import type { ComponentType, ReactElement } from 'react';
import { Choices } from '../src/shell/choices.tsx';
import { controls } from './controls.tsx';
import { surfaces } from './surfaces.tsx';

const parts: Readonly<Record<string, ComponentType>> = { ...controls, ...surfaces };

export function Gallery(): ReactElement {
  return (
    <main className="gallery">
      <div className="row">
        <h1>The parts of the page</h1>
        <Choices />
      </div>
      {Object.entries(parts).map(([name, States]) => (
        <section key={name} aria-labelledby={`part-${name}`}>
          <h2 id={`part-${name}`}>{name}</h2>
          <div className="states">
            <States />
          </div>
        </section>
      ))}
    </main>
  );
}
