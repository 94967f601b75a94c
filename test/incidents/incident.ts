import type { World } from './world.ts';

/** What a client received. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body as far as it arrived. */
  readonly body: string;
}

/** What someone who investigates must find. `-` means that there is none. */
export interface Diagnosis {
  readonly target: string;
  /** The path, as in `x-gw-last-used-option-index`. */
  readonly path: string;
  readonly attempt: number | '-';
  /** The code of the cause. */
  readonly cause: string;
  readonly remedy: string;
}

/** Something that goes wrong, and what must be found about it. */
export interface Incident {
  readonly name: string;
  /** Causes the incident. Returns the answer to the request that shows it. */
  run(world: World): Promise<SeenAnswer>;
  readonly declares: Omit<Diagnosis, 'remedy'> & { readonly remedy: RegExp };
}
