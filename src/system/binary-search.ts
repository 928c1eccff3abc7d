/** Returns how many of `count` items, from the first, satisfy a condition that stays false once it is false. */
export function countWhile(count: number, condition: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (condition(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
