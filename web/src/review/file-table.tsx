/** Lists every changed file and its status: unreviewed ones too, with the reason. */
import type { ReactElement } from 'react';
import type { ReviewResult } from '../../../src/client/run-events.ts';
import { visibleName } from '../../../src/client/review.ts';
import { Button } from '../design/button.tsx';
import { PathText } from '../design/path-text.tsx';
import { useReviewWords } from './review-words.ts';

export interface FileTableProps {
  readonly files: ReviewResult['coverage']['files'];
  /** Returns the number of findings in a file. */
  readonly findingsIn: (path: string) => number;
  /** Returns the id of the file's lines; null if they are not shown. */
  readonly idOf: (path: string) => string | null;
  readonly onOpen: (id: string) => void;
}

export function FileTable({ files, findingsIn, idOf, onOpen }: FileTableProps): ReactElement {
  const words = useReviewWords();
  return (
    <div className="scrolling" role="group" aria-label={words.filesLabel} tabIndex={0}>
      <table className="files">
        <thead>
          <tr>
            <th scope="col">{words.file}</th>
            <th scope="col">{words.statusHead}</th>
            <th scope="col">{words.findings}</th>
            <th scope="col">{words.reason}</th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ path, status, reason, skipped_by: by }, index) => (
            // A path may occur twice; the order is that of the result.
            <tr key={`${index} ${path}`}>
              <th scope="row">
                <FileLink path={path} id={idOf(path)} onOpen={onOpen} />
              </th>
              <td>
                <span className={`status ${status}`}>
                  {by === undefined ? words.status[status] : words.skippedBy[by]}
                </span>
              </td>
              <td>{findingsIn(path)}</td>
              <td>{reason === undefined ? '' : visibleName(reason)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FileLinkProps {
  readonly path: string;
  /** The part of the path that is shown; default: the whole. */
  readonly name?: string;
  readonly id: string | null;
  readonly onOpen: (id: string) => void;
}

export function FileLink({ path, name, id, onOpen }: FileLinkProps): ReactElement {
  const label = (
    <code>
      <PathText text={visibleName(name ?? path)} />
    </code>
  );
  if (id === null) return label;
  return (
    <Button kind="link" title={name === undefined ? undefined : visibleName(path)} onClick={() => onOpen(id)}>
      {label}
    </Button>
  );
}
