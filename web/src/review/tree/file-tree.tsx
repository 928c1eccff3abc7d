/** The files of a change by folder, with the number of findings of each severity; filtered by a part of the path. */
import { useDeferredValue, useId, useMemo, useState, type ReactElement } from 'react';
import type { Finding, ReviewResult, Severity } from '../../../../src/client/run-events.ts';
import { severities, visibleName } from '../../../../src/client/review.ts';
import { PathText } from '../../design/path-text.tsx';
import { Empty } from '../../design/placeholder.tsx';
import { Icon } from '../../design/icon.tsx';
import { file as fileIcon, folder } from '../../design/icons.ts';
import { SeverityMark } from '../../design/severity-mark.tsx';
import { useReviewWords } from '../review-words.ts';
import { FileLink } from '../file-table.tsx';
import { buildTree, type TreeNode } from './build-tree.ts';
import { useTreeWords } from './tree-words.ts';

type CoveredFile = ReviewResult['coverage']['files'][number];

export interface FileTreeProps {
  readonly files: readonly CoveredFile[];
  /** Those that the filter of severities shows. */
  readonly findings: readonly Finding[];
  /** Returns the id of the file's lines; null if they are not shown. */
  readonly idOf: (path: string) => string | null;
  readonly onOpen: (id: string) => void;
}

export function FileTree({ files, findings, idOf, onOpen }: FileTreeProps): ReactElement {
  const words = useTreeWords();
  const field = useId();
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter).trim().toLowerCase();
  const tree = useMemo(
    () => buildTree(files.filter(({ path }) => path.toLowerCase().includes(wanted))),
    [files, wanted],
  );
  const counts = useMemo(() => countByPath(findings), [findings]);
  return (
    <nav aria-label={words.tree} className="file-tree">
      <label htmlFor={field} className="for-listeners">
        {words.filter}
      </label>
      <input
        id={field}
        type="search"
        placeholder={words.filter}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {tree.length === 0 ? (
        <Empty>{words.nothing}</Empty>
      ) : (
        <Branch nodes={tree} {...{ counts, idOf, onOpen }} />
      )}
    </nav>
  );
}

interface BranchProps extends Pick<FileTreeProps, 'idOf' | 'onOpen'> {
  readonly nodes: readonly TreeNode<CoveredFile>[];
  readonly counts: ReadonlyMap<string, ReadonlyMap<Severity, number>>;
}

function Branch({ nodes, ...rest }: BranchProps): ReactElement {
  return (
    <ul>
      {nodes.map((node, index) =>
        node.kind === 'folder' ? (
          <li key={node.path}>
            <details open>
              <summary>
                <Icon of={folder} />{' '}
                <code>
                  <PathText text={`${visibleName(node.name)}/`} />
                </code>
              </summary>
              <Branch nodes={node.children} {...rest} />
            </details>
          </li>
        ) : (
          // A path may occur twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${index} ${node.name}`}>
            <FileRow name={node.name} file={node.file} {...rest} />
          </li>
        ),
      )}
    </ul>
  );
}

interface FileRowProps extends Omit<BranchProps, 'nodes'> {
  readonly name: string;
  readonly file: CoveredFile;
}

function FileRow({ name, file, counts, idOf, onOpen }: FileRowProps): ReactElement {
  const words = useReviewWords();
  return (
    <>
      <Icon of={fileIcon} />
      <FileLink path={file.path} name={name} id={idOf(file.path)} onOpen={onOpen} />
      <SeverityCounts counts={counts.get(file.path)} />
      {file.status !== 'reviewed' && (
        <span className={`status ${file.status}`}>{words.status[file.status]}</span>
      )}
    </>
  );
}

function SeverityCounts({
  counts,
}: {
  readonly counts: ReadonlyMap<Severity, number> | undefined;
}): ReactElement | null {
  const words = useReviewWords();
  if (counts === undefined) return null;
  return (
    <>
      {severities
        .filter((severity) => counts.has(severity))
        .map((severity) => (
          <SeverityMark key={severity} severity={severity}>
            {counts.get(severity)}
            <span className="for-listeners"> {words.severity[severity]}</span>
          </SeverityMark>
        ))}
    </>
  );
}

function countByPath(findings: readonly Finding[]): ReadonlyMap<string, ReadonlyMap<Severity, number>> {
  const counts = new Map<string, Map<Severity, number>>();
  for (const { path, severity } of findings) {
    if (path === null) continue;
    const own = counts.get(path) ?? new Map<Severity, number>();
    own.set(severity, (own.get(severity) ?? 0) + 1);
    counts.set(path, own);
  }
  return counts;
}
