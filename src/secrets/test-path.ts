export function isTestPath(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec|specs|fixtures|__mocks__)\/|[._-](test|spec)\.[a-z]+$|(^|\/)test_[^/]*\.py$/i.test(
    path,
  );
}
