/** Recognizes files that are not reviewed line by line by their path alone. */
import { isSecretFile } from '../../secrets/secret-files.ts';

const lockFiles: ReadonlySet<string> = new Set([
  '.terraform.lock.hcl',
  'Berksfile.lock',
  'Brewfile.lock.json',
  'Cargo.lock',
  'Cartfile.resolved',
  'Chart.lock',
  'Gemfile.lock',
  'MODULE.bazel.lock',
  'Package.resolved',
  'Pipfile.lock',
  'Podfile.lock',
  'buf.lock',
  'buildscript-gradle.lockfile',
  'bun.lock',
  'bun.lockb',
  'cabal.project.freeze',
  'composer.lock',
  'conan.lock',
  'conda-lock.yml',
  'deno.lock',
  'dub.selections.json',
  'flake.lock',
  'gems.locked',
  'go.sum',
  'go.work.sum',
  'gradle.lockfile',
  'mise.lock',
  'mix.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'packages.lock.json',
  'paket.lock',
  'pdm.lock',
  'pixi.lock',
  'pnpm-lock.yaml',
  'poetry.lock',
  'pubspec.lock',
  'pylock.toml',
  'rebar.lock',
  'shard.lock',
  'stack.yaml.lock',
  'uv.lock',
  'vcpkg-lock.json',
  'yarn.lock',
]);

const vendoredFolders: ReadonlySet<string> = new Set([
  '.venv',
  'Carthage',
  'Godeps',
  'Pods',
  'bower_components',
  'jspm_packages',
  'node_modules',
  'site-packages',
  'third-party',
  'third_party',
  'thirdparty',
  'vendor',
]);

const generatedNames: readonly (readonly [RegExp, string])[] = [
  [/\.min\.(?:js|mjs|cjs|css)$/u, 'minified'],
  [/\.(?:js|mjs|cjs|css|ts)\.map$/u, 'source map'],
  [/(?:^|\/)__snapshots__\/|\.snap$/u, 'snapshot'],
  [/(?:^|\/)__generated__\/|\.generated\.\w+$/u, 'by its name'],
  [/\.pb\.(?:go|cc|h|swift|dart)$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|ts|d\.ts)$/u, 'protocol buffers'],
  [/\.(?:g|freezed)\.dart$|\.(?:g|designer)\.cs$/iu, 'by its name'],
  [/(?:^|\/)zz_generated\.[^/]*\.go$|_generated\.go$/u, 'by its name'],
  [/(?:^|\/)\.pnp\.c?js$|(?:^|\/)\.yarn\/(?:releases|plugins|cache|unplugged|sdks)\//u, 'package manager'],
];

/** Formats that are always binary. A source file does not become binary because it contains a NUL. */
const binaryName = new RegExp(
  `\\.(?:${[
    'png|jpe?g|gif|webp|avif|bmp|ico|icns|cur|tiff?|psd|heic|xcf',
    'mp[34]|m4[av]|mov|avi|mkv|webm|wav|flac|og[gav]|aac|opus|swf',
    'woff2?|ttf|otf|eot',
    'zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|ear|whl|egg|nupkg|gem|crate|deb|rpm|dmg|iso|apk|aab|ipa|br|lz4',
    'pdf|docx?|xlsx?|pptx?|od[tspg]|epub',
    'exe|dll|so|dylib|a|o|lib|obj|bin|class|py[cod]|wasm|node|pdb',
    'sqlite3?|db|mdb|parquet|avro|arrow|feather|onnx|pt|pth|np[yz]|safetensors|pkl|h5|hdf5|glb',
    'mo|gmo|keystore|jks|p12|pfx|der',
  ].join('|')})$`,
  'iu',
);

export function isBinaryName(path: string): boolean {
  return binaryName.test(path);
}

export function isLockFile(path: string): boolean {
  return lockFiles.has(path.slice(path.lastIndexOf('/') + 1));
}

/** Returns the folder that marks a path as third-party code; null if there is none. */
export function vendoredFolderOf(path: string): string | null {
  return (
    path
      .split('/')
      .slice(0, -1)
      .find((folder) => vendoredFolders.has(folder)) ?? null
  );
}

/** Returns the kind of generated file that the name indicates; null if it indicates none. */
export function generatedByName(path: string): string | null {
  return generatedNames.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Folders in which tools keep what they can make again; they hide themselves with a `.gitignore` in them. */
const toolFolders =
  /(?:^|\/)(?:\.(?:pytest_cache|mypy_cache|ruff_cache|hypothesis|tox|nox|turbo|next|gradle|parcel-cache)|__pycache__|venv)\//u;

/** Returns true for an ignored file that no one commits: secrets, and what tools keep. */
export function isLeftOutByName(path: string): boolean {
  return isSecretFile(path) || toolFolders.test(path) || /(?:^|\/)\.DS_Store$/u.test(path);
}
