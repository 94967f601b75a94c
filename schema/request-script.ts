import type { Json, JsonObject } from './json.ts';
import type { JsonPointer } from './pointer.ts';
import type { TrailEvent } from './trail.ts';

/** One request to try on a plan, and the parts its upstreams play. `gw explain --request` reads one from a file. */
export interface RequestScript {
  readonly method: string;
  /** The gateway's own path, `/v1` included. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly metadata: JsonObject;
  /** Absent: one that fits the path. */
  readonly body?: Json;
  /** Whether the body asks for a stream, where it is absent. */
  readonly stream?: boolean;
  /** Whether the body streams through and can be sent only once; where absent, as the gateway would have it. */
  readonly once?: boolean;
  /** Names every random draw: the same seed draws the same. */
  readonly seed: number;
  /** A call takes the first step that is not taken yet and names its target or none; without one it gets a plain 200. */
  readonly upstream: readonly UpstreamStep[];
  /** The client leaves while the last step is played, or in the wait that the recorded trail ends with. */
  readonly clientLeaves?: 'call' | 'wait';
  /** Its body could not be read: where that is asked for, the request ends, but no earlier than the recorded one. */
  readonly malformed?: boolean;
  /** Leaves whose dialects cannot say what this request says: they refuse it themselves. */
  readonly unfitFor?: readonly JsonPointer[];
  /** The trail of the request that this one repeats: its circuits and verdicts stand for those that are not known. */
  readonly recorded?: readonly TrailEvent[];
}

/** How an upstream answers one call. */
export interface UpstreamStep {
  /** The id of the target it answers for; whichever calls next, where absent. */
  readonly target?: string;
  /** 200 where absent. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** Absent: an answer, or an error, in the words of the target's dialect. */
  readonly body?: Json;
  /** Whether the answer is a stream; as the request asks, where absent. */
  readonly stream?: boolean;
  readonly error?: UpstreamFault;
  /** The request's body is not read, so that it can be sent again even where it streams. */
  readonly unread?: boolean;
}

/**
 * `refused`: no connection. `busy`: the pool of connections is full. `hang`: nothing comes. `cut`: the connection breaks.
 * `in-band`: the stream reports an error. Of a step that says `stream: true`, the last three come after the first content.
 */
export type UpstreamFault = 'refused' | 'busy' | 'hang' | 'cut' | 'in-band';
export const upstreamFaults: readonly UpstreamFault[] = ['refused', 'busy', 'hang', 'cut', 'in-band'];

/** What came of it. */
export interface Replay {
  readonly status: number;
  readonly trail: readonly TrailEvent[];
  /** Milliseconds until the answer was whole, on a clock that jumps from event to event. */
  readonly ms: number;
  /** How many steps of the script no call took. */
  readonly unusedSteps: number;
  /** Which of the gateway's own errors it is, where it is one. */
  readonly cause?: string;
  /** The leaf that answered: its place in the config, its target's provider, and `x-gw-retry-attempt-count`. */
  readonly leaf?: { readonly path: string; readonly provider: string; readonly retries: number };
}
