import type { World } from './world.ts';

/** What a client got. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** All of it that arrived. */
  readonly body: string;
}

/** What somebody who looks for the reason must find; `-`: there is none of it. */
export interface Diagnosis {
  readonly target: string;
  /** As in `x-gw-last-used-option-index`. */
  readonly path: string;
  readonly attempt: number | '-';
  /** A code. */
  readonly cause: string;
  readonly remedy: string;
}

/** Something wrong, and what must be found of it. */
export interface Incident {
  readonly name: string;
  /** Makes it happen; gives the answer to the request that shows it. */
  run(world: World): Promise<SeenAnswer>;
  readonly declares: Omit<Diagnosis, 'remedy'> & { readonly remedy: RegExp };
}
