/** A loopback package registry that has only the given packages. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { closeServer, listen } from '../../src/system/loopback.ts';

export interface RegistryPackage {
  /** The content of its package.json. */
  readonly manifest: { readonly name: string; readonly version: string };
  /** The path of its packed file. */
  readonly tarball: string;
}

export interface RegistryServer {
  readonly url: string;
  /** Names and files, in the order of their requests. */
  readonly asked: () => readonly string[];
  readonly close: () => Promise<void>;
}

export async function startRegistryServer(packages: readonly RegistryPackage[]): Promise<RegistryServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1));
    asked.push(path);
    const found = packages.find(({ manifest }) => manifest.name === path);
    const file = packages.find(({ tarball }) => basename(tarball) === path);
    if (file !== undefined) response.end(readFileSync(file.tarball));
    else if (found === undefined) response.writeHead(404).end('{}');
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(describe(found, url)));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, asked: () => asked, close: () => closeServer(server) };
}

function describe({ manifest, tarball }: RegistryPackage, url: string) {
  const { name, version } = manifest;
  const dist = { tarball: `${url}/${basename(tarball)}` };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
