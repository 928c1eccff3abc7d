import { expect, test } from 'vitest';
import { functionsAround, readIndents } from './enclosing-function.ts';

/** The innermost function around the line with `HERE`, as its first and last line. */
function around(code: string): readonly string[] {
  const text = readIndents(code);
  const lines = code.split('\n');
  const line = lines.findIndex((one) => one.includes('HERE')) + 1;
  return functionsAround(text, line).map(
    ({ start, end }) => `${lines[start - 1]?.trim()} … ${lines[end - 1]?.trim()}`,
  );
}

test.each([
  [
    'TypeScript',
    `import a;\n\n/** Adds. */\nexport async function add(\n  a: number,\n  b: number,\n): Promise<number> {\n  if (a) {\n    HERE();\n  } else {\n    b();\n  }\n  return a;\n}\n\nconst x = 1;\n`,
    ['/** Adds. */ … }'],
  ],
  [
    'a parameter of TypeScript',
    `export function add(\n  a: number,\n  HERE: number,\n): number {\n  return a;\n}\n`,
    ['export function add( … }'],
  ],
  [
    'a method between others',
    `class A {\n  one() {\n    1;\n  }\n\n  @memo\n  two(a = {}): void {\n    HERE;\n  }\n\n  three() {\n    3;\n  }\n}\n`,
    ['@memo … }'],
  ],
  [
    'a callback in a test',
    `test('works', async () => {\n  const all = list.map((one) => {\n    return HERE;\n  });\n  done();\n});\n`,
    ['const all = list.map((one) => { … });', "test('works', async () => { … });"],
  ],
  [
    'the closing bracket itself',
    `function a() {\n  b();\n} // HERE\n\nfunction c() {\n  d();\n}\n`,
    ['function a() { … } // HERE'],
  ],
  [
    'a template that is not indented',
    'function a() {\n  const text = `\nfirst\nsecond`;\n  HERE;\n}\nfunction b() {\n  c();\n}\n',
    ['function a() { … }'],
  ],
  [
    'Python',
    `import os\n\n@app.route('/')\nasync def show(\n    a: int,\n) -> str:\n    """Shows."""\n    if a:\n        HERE\n\n    return 1\n\n\nother = 2\n`,
    ["@app.route('/') … return 1"],
  ],
  [
    'a method of Python',
    `class A:\n    def one(self):\n        pass\n\n    def two(self):\n        # note\n        HERE\n\n    x = 1\n`,
    ['def two(self): … HERE'],
  ],
  [
    'C in two styles',
    `static int\nadd(int a, int b)\n{\n#ifdef X\n  a = 1;\n#endif\n  HERE;\nout:\n  return a;\n}\n\nint b(void) {\n  return 1;\n}\n`,
    ['static int … }'],
  ],
  [
    'C++ with initializers',
    `Foo::Foo(int a)\n    : a_(a),\n      b_(2) {\n  HERE;\n}\n\nvoid bar() {}\n`,
    ['Foo::Foo(int a) … }'],
  ],
  [
    'Java with braces on their own lines',
    `class A\n{\n    @Override\n    public int one(int a) throws E\n    {\n        HERE;\n    }\n\n    int two()\n    {\n        return 2;\n    }\n}\n`,
    ['@Override … }'],
  ],
  [
    'Go',
    `func (s *S) Add(a int) (int, error) {\n\tif a > 0 {\n\t\tHERE\n\t}\n\treturn a, nil\n}\n`,
    ['func (s *S) Add(a int) (int, error) { … }'],
  ],
  [
    'Rust',
    `impl A {\n    pub fn add(&self) -> u8\n    where\n        T: B,\n    {\n        HERE\n    }\n}\n`,
    ['pub fn add(&self) -> u8 … }'],
  ],
  [
    'Ruby',
    `class A\n  def add(a)\n    if a\n      HERE\n    end\n    a\n  end\n\n  def b\n  end\nend\n`,
    ['def add(a) … end'],
  ],
  ['Shell', `main() {\n  for a in b; do\n    HERE\n  done\n}\nmain\n`, ['main() { … }']],
  ['Swift', `class A {\n  func add(a: Int) -> Int {\n    HERE\n  }\n}\n`, ['func add(a: Int) -> Int { … }']],
  [
    'Objective-C',
    `- (void)add:(NSInteger)a\n{\n  HERE;\n}\n\n- (void)b {\n}\n`,
    ['- (void)add:(NSInteger)a … }'],
  ],
  [
    'PHP',
    `class A\n{\n    public function add($a)\n    {\n        HERE;\n    }\n}\n`,
    ['public function add($a) … }'],
  ],
])('%s', (_language, code, expected) => {
  expect(around(code)).toEqual(expected);
});

test.each([
  ['a statement at the top', 'const a = 1;\nHERE();\n'],
  ['an object', 'export const a = {\n  b: HERE,\n};\n'],
  ['a control block at the top', 'if (a) {\n  HERE();\n}\n'],
  ['prose', 'A sentence (in brackets) about HERE.\n\nAnother one:\n'],
  ['settings', 'a:\n  b:\n    - HERE\n'],
])('%s is in no function', (_what, code) => {
  expect(around(code)).toEqual([]);
});

test('a line beyond the text, an empty text and a text without line breaks have no function', () => {
  expect(functionsAround(readIndents(''), 1)).toEqual([]);
  expect(functionsAround(readIndents('a\nb'), 99)).toEqual([]);
  expect(functionsAround(readIndents(`function a() { ${'x;'.repeat(50_000)} }`), 1)).toEqual([]);
});

test.each([
  [
    'a decorator',
    `class A {\n  /** Adds. */\n  @HERE\n  add(): void {\n    1;\n  }\n}\n`,
    ['/** Adds. */ … }'],
  ],
  ['a comment above', `// HERE\nint add(int a)\n{\n  return a;\n}\n`, ['// HERE … }']],
  [
    'an attribute before the name',
    `class A {\n  @objc func add() { // HERE\n    1\n  }\n}\n`,
    ['@objc func add() { // HERE … }'],
  ],
])('%s belongs to its function', (_what, code, expected) => {
  expect(around(code)).toEqual(expected);
});
