import { get } from '../../api/client.ts';

/** A circuit, as `GET /circuits` returns it. */
export interface Circuit {
  readonly state: 'open' | 'half-open' | 'closed';
  readonly config: string | null;
  readonly path: string | null;
  readonly target: string | null;
  readonly kind: string | null;
  readonly model: string | null;
  readonly failures: number;
  readonly cause: string | null;
  /** Seconds since the epoch; null while the circuit is closed. */
  readonly opened_at: number | null;
  readonly retry_at: number | null;
}

/** Reads the circuits of one config or of all configs, open ones first. */
export const loadCircuits = async (config: string | undefined, signal: AbortSignal): Promise<readonly Circuit[]> =>
  (await get<{ readonly data: readonly Circuit[] }>('/circuits', { query: { config }, signal })).data;

/** Whether requests avoid the target of a circuit. */
export const isOpen = ({ state }: Circuit): boolean => state !== 'closed';
