import { config } from 'zod';

/**
 * A program that ends within seconds does not earn back what zod spends on compiling each schema at its first use. Schemas
 * ask for this when they are made, so it comes before all others.
 */
export function leaveSchemasUncompiled(): void {
  config({ jitless: true });
}
