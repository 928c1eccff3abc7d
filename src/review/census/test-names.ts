/** Names the paths at which the tests of a file usually are. */
import { posix } from 'node:path';

/** Returns them without looking, the most usual first; none for a file that is a test itself or no code. */
export function testPathsOf(path: string): readonly string[] {
  const { dir, name, ext } = posix.parse(path);
  if (/(?:^test_|[._-](?:test|spec)s?$|Tests?$|Spec$)/u.test(name)) return [];
  const inner = dir.replace(/^(?:src|lib|app)(?:\/|$)/u, '');
  const beside = (...names: readonly string[]) => names.map((one) => posix.join(dir, one));
  const below = (folder: string, ...names: readonly string[]) =>
    [...new Set([posix.join(folder, inner), folder])].flatMap((place) =>
      names.map((one) => posix.join(place, one)),
    );
  switch (ext) {
    case '.py':
      return [
        ...beside(`test_${name}.py`, `${name}_test.py`, `tests/test_${name}.py`),
        ...below('tests', `test_${name}.py`),
        ...below('test', `test_${name}.py`),
      ];
    case '.go':
      return beside(`${name}_test.go`);
    case '.rb':
      return [...below('spec', `${name}_spec.rb`), ...below('test', `${name}_test.rb`)];
    case '.java':
    case '.kt':
    case '.scala':
    case '.groovy': {
      const place = dir.replace(/(^|\/)src\/main\//u, '$1src/test/');
      return place === dir ? [] : ['Test', 'Tests'].map((end) => posix.join(place, `${name}${end}${ext}`));
    }
    case '.php':
    case '.cs':
    case '.swift':
      return [...below('tests', `${name}Test${ext}`), ...beside(`${name}Test${ext}`, `${name}Tests${ext}`)];
    case '.rs':
      return below('tests', `${name}.rs`);
    default:
      if (!/^\.[cm]?[jt]sx?$/u.test(ext)) return [];
      return [
        ...beside(
          `${name}.test${ext}`,
          `${name}.spec${ext}`,
          `__tests__/${name}.test${ext}`,
          `__tests__/${name}${ext}`,
        ),
        ...below('test', `${name}.test${ext}`, `${name}${ext}`),
        ...below('tests', `${name}.test${ext}`),
      ];
  }
}
