export interface GrowingText {
  add(piece: string): void;
  text(): string;
}

const joinedAtOnce = 512;

/** Builds a text from many small pieces. Simple concatenation would keep each piece and each intermediate text. */
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
