/** A text whose paths are broken only after a slash; only a long name may be broken elsewhere. */
import { Fragment, type ReactElement } from 'react';

interface PathTextProps {
  readonly text: string;
  /** A longer part of a path is shortened in its middle; the whole text is then its title. Default: none is. */
  readonly most?: number;
}

/** A longer part may be wider than the narrowest page. */
const mostUnbroken = 24;

export function PathText({ text, most = Infinity }: PathTextProps): ReactElement {
  const parts = partsOf(text).map((part) =>
    isOfPath(part) ? { ...part, text: shorten(part.text, most) } : part,
  );
  const shown = parts.map((part) => part.text).join('');
  const longest = most === Infinity ? mostUnbroken : most;
  return (
    <span title={shown === text ? undefined : text}>
      {parts.map((part, index) =>
        isOfPath(part) ? (
          // The parts of a text never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            <span className={part.text.length > longest ? undefined : 'unbroken'}>{part.text}</span>
            <wbr />
          </Fragment>
        ) : (
          part.text
        ),
      )}
    </span>
  );
}

interface Part {
  readonly text: string;
  readonly word: string;
}

/** Each part of a path ends with its slash. Other words and spaces are parts of their own. */
function partsOf(text: string): readonly Part[] {
  return text.split(/(\s+)/).flatMap((word) => word.split(/(?<=\/)/).map((part) => ({ text: part, word })));
}

function isOfPath({ word }: Part): boolean {
  return word.includes('/');
}

/** The end of a name has its extension. */
function shorten(part: string, most: number): string {
  const letters = Array.from(part);
  if (letters.length <= most) return part;
  const end = Math.floor((most - 1) / 2);
  return `${letters.slice(0, most - 1 - end).join('')}…${letters.slice(-end).join('')}`;
}
