export interface GrowingText {
  add(piece: string): void;
  text(): string;
}

const joinedAtOnce = 512;

/** A text of many small pieces. Added up one by one, each piece and each joint would be kept. */
export function createGrowingText(): GrowingText {
  const joined: string[] = [];
  let pieces: string[] = [];
  return {
    add(piece) {
      pieces.push(piece);
      if (pieces.length < joinedAtOnce) return;
      joined.push(pieces.join(''));
      pieces = [];
    },
    text: () => [...joined, ...pieces].join(''),
  };
}
