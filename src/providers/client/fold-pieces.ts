import type { ContentSegment, ProviderPiece, ProviderResponse } from '../../tools/definition/interfaces.ts';

/** Folds all pieces of an answer into one (X004-12): segments in the order of their places, metadata merged. */
export async function foldPieces(pieces: AsyncIterable<ProviderPiece>): Promise<ProviderResponse> {
  const segments = new Map<number, ContentSegment>();
  const metadata: unknown[] = [];
  for await (const piece of pieces) {
    switch (piece.type) {
      case 'text_delta': {
        const before = segments.get(piece.index)?.text ?? '';
        segments.set(piece.index, { type: 'text', text: before + piece.text });
        break;
      }
      case 'segment':
        segments.set(piece.index, piece.segment);
        break;
      case 'metadata':
        metadata.push(piece.metadata);
        break;
    }
  }
  return {
    segments: [...segments].toSorted(([one], [other]) => one - other).map(([, segment]) => segment),
    ...(metadata.length === 0 ? {} : { metadata: Object.assign({}, ...metadata) }),
  };
}
