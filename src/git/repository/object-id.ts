import { z } from 'zod';

/** The name of an object of git: SHA-1 or SHA-256, in hexadecimal digits. */
export const objectIdSchema = z.string().regex(/^[0-9a-f]{40,64}$/);
