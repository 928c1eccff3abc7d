/** The types of Next.js 15 that the example uses, so that Next.js is not needed to check it. */
export interface NextConfig {
  outputFileTracingRoot?: string | undefined;
  rewrites?: () => Promise<{ source: string; destination: string }[]>;
}

export interface Metadata {
  title?: string;
}
