/** The column beside the change: its findings, or its files. */
import { useState, type ReactElement } from 'react';
import { Segments } from '../design/segments.tsx';
import { FindingList, type FindingListProps } from './finding-list.tsx';
import { FileTree, type FileTreeProps } from './tree/file-tree.tsx';
import { useTreeWords } from './tree/tree-words.ts';

const sides = ['findings', 'files'] as const;

interface ReviewSideProps {
  readonly list: FindingListProps;
  readonly tree: FileTreeProps;
}

export function ReviewSide({ list, tree }: ReviewSideProps): ReactElement {
  const words = useTreeWords();
  const [side, setSide] = useState<(typeof sides)[number]>('findings');
  return (
    <div className="review-side">
      <Segments label={words.shown} names={sides} words={words.sides} pressed={side} onPress={setSide} />
      {side === 'findings' ? <FindingList {...list} /> : <FileTree {...tree} />}
    </div>
  );
}
