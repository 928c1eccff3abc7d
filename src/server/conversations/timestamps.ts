import { z } from 'zod';

/** UTC, e.g. `2026-11-21T09:30:00.000000Z`. */
export const momentSchema = z.iso.datetime();
