import { get } from '../../api/client.ts';

/** A circuit as `GET /circuits` shows it. */
export interface Circuit {
  readonly state: 'open' | 'half-open' | 'closed';
  readonly config: string | null;
  readonly path: string | null;
  readonly target: string | null;
  readonly kind: string | null;
  readonly model: string | null;
  readonly failures: number;
  readonly cause: string | null;
  /** Seconds since the epoch; null while it is closed. */
  readonly opened_at: number | null;
  readonly retry_at: number | null;
}

/** Reads the circuits of a config, or of all, those that are open first. */
export const loadCircuits = async (config: string | undefined, signal: AbortSignal): Promise<readonly Circuit[]> =>
  (await get<{ readonly data: readonly Circuit[] }>('/circuits', { query: { config }, signal })).data;

/** Whether requests avoid its target. */
export const isOpen = ({ state }: Circuit): boolean => state !== 'closed';
