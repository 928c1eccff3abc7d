/**
 * The packages whose releases are compared. All ship their sources under a permissive license; `package.json` pins each
 * release under an alias, and `differences.changes.test.ts` checks that both lists and the installed licenses agree.
 */
export interface ReleasedPackage {
  readonly name: string;
  readonly license: 'Apache-2.0' | 'BSD-2-Clause' | 'BSD-3-Clause' | 'ISC' | 'MIT';
  /** Runs of consecutive releases, from the oldest to the newest; each is compared with the one before it in its run. */
  readonly runs: readonly (readonly string[])[];
  /** Folders and files that hold sources. Everything else in the package is a build result, a document or vendored. */
  readonly sources: readonly string[];
}

export const releasedPackages: readonly ReleasedPackage[] = [
  {
    name: '@capacitor/filesystem',
    license: 'MIT',
    runs: [
      ['5.0.5', '5.1.0'],
      ['5.2.2', '6.0.0'],
    ],
    sources: ['android', 'ios', 'Package.swift'],
  },
  {
    name: '@capacitor/local-notifications',
    license: 'MIT',
    runs: [
      ['4.1.5', '5.0.0'],
      ['5.0.8', '6.0.0'],
      ['6.1.3', '7.0.0'],
    ],
    sources: ['android', 'ios', 'Package.swift'],
  },
  {
    name: '@parcel/watcher',
    license: 'MIT',
    runs: [
      ['2.2.0', '2.3.0'],
      ['2.4.0', '2.4.1', '2.5.0'],
    ],
    sources: ['src', 'binding.gyp', 'index.js', 'wrapper.js'],
  },
  {
    name: '@react-native-async-storage/async-storage',
    license: 'MIT',
    runs: [
      ['1.17.12', '1.18.0'],
      ['1.18.2', '1.19.0'],
    ],
    sources: ['android', 'ios', 'src'],
  },
  {
    name: '@react-native-community/netinfo',
    license: 'MIT',
    runs: [
      ['10.0.0', '11.0.0'],
      ['11.0.1', '11.1.0'],
    ],
    sources: ['android', 'ios', 'src', 'windows'],
  },
  {
    name: 'bats',
    license: 'MIT',
    runs: [['1.7.0', '1.8.0', '1.8.2', '1.9.0', '1.10.0', '1.11.0', '1.11.1', '1.12.0', '1.13.0']],
    sources: ['bin', 'lib', 'libexec', 'install.sh', 'uninstall.sh'],
  },
  { name: 'bourbon', license: 'MIT', runs: [['6.0.0', '7.0.0', '7.1.0', '7.2.0']], sources: ['core'] },
  {
    name: 'expo-clipboard',
    license: 'MIT',
    runs: [
      ['4.5.0', '4.7.0'],
      ['4.8.0', '5.0.0'],
      ['5.0.1', '6.0.0', '6.0.3', '7.0.0'],
      ['7.0.1', '7.1.2'],
    ],
    sources: ['android', 'ios', 'mocks', 'src'],
  },
  {
    name: 'expo-secure-store',
    license: 'MIT',
    runs: [
      ['12.5.0', '12.6.0', '12.7.0', '12.8.0'],
      ['12.8.1', '13.0.0', '13.0.1', '13.0.2', '14.0.0'],
    ],
    sources: ['android', 'ios', 'src'],
  },
  { name: 'graphile-worker', license: 'MIT', runs: [['0.13.0', '0.15.1']], sources: ['sql'] },
  {
    name: 'immer',
    license: 'MIT',
    runs: [
      ['9.0.21', '10.0.0'],
      ['10.0.4', '10.1.0'],
    ],
    sources: ['src'],
  },
  {
    name: 'n',
    license: 'MIT',
    runs: [
      ['9.1.0', '9.2.0', '9.2.1'],
      ['9.2.3', '10.0.0', '10.1.0', '10.2.0'],
    ],
    sources: ['bin'],
  },
  {
    name: 'nan',
    license: 'MIT',
    runs: [
      ['2.17.0', '2.18.0'],
      ['2.20.0', '2.21.0', '2.22.0'],
    ],
    sources: [':(glob)*.h', 'tools'],
  },
  {
    name: 'node-addon-api',
    license: 'MIT',
    runs: [
      ['7.0.0', '7.1.0'],
      ['8.0.0', '8.1.0', '8.2.0', '8.2.1', '8.2.2', '8.3.0'],
    ],
    sources: [':(glob)*.h', 'tools'],
  },
  {
    name: 'node-gyp',
    license: 'MIT',
    runs: [
      ['9.3.1', '9.4.0'],
      ['9.4.1', '10.0.0'],
      ['10.0.1', '10.1.0', '10.2.0'],
      ['10.3.1', '11.0.0'],
    ],
    sources: ['bin', 'gyp/pylib', 'lib', 'update-gyp.py'],
  },
  { name: 'redux', license: 'MIT', runs: [['4.2.1', '5.0.0']], sources: ['src'] },
  { name: 'undici', license: 'MIT', runs: [['7.25.0', '7.26.0', '7.27.0']], sources: ['lib', 'types'] },
];
