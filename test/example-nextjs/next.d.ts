/** As much of Next.js 15's types as the example uses, so that checking it needs no Next.js. */
export interface NextConfig {
  outputFileTracingRoot?: string | undefined;
  rewrites?: () => Promise<{ source: string; destination: string }[]>;
}

export interface Metadata {
  title?: string;
}
