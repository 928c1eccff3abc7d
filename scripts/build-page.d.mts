/** Bundles the `index.html` of a folder, as the page is bundled. */
export function bundlePage(from: string, outDir: string): Promise<readonly unknown[]>;
