import type { Json, JsonObject } from '../json/json.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Lack } from '../model-facts/lack.ts';
import type { RecordedCopy } from './recorded-copies.ts';
import type { TrailEvent } from './trail.ts';

/** One request to run on a plan, with the behaviour of its upstreams. `gw explain --request` reads one from a file. */
export interface RequestScript {
  readonly method: string;
  /** The gateway's own path, `/v1` included. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly metadata: JsonObject;
  /** If absent, a body for the path is used. */
  readonly body?: Json;
  /** The model of the default body, if bodies of its path name one. */
  readonly model?: string;
  /** The name of what its virtual model stands for: the fact `plan.model`. */
  readonly planModel?: string;
  /** Whether the default body requests a stream. */
  readonly stream?: boolean;
  /** Whether the body is streamed and can be sent only once; if absent, as the gateway would do. */
  readonly once?: boolean;
  /** Whether it has no body, although its method could have one. */
  readonly empty?: boolean;
  /** Determines every random draw. */
  readonly seed: number;
  /** A call takes the first unused step that names its target or none; without one it gets a plain 200. */
  readonly upstream: readonly UpstreamStep[];
  /** The client leaves during the last step, or in the wait at the end of the recorded trail. */
  readonly clientLeaves?: 'call' | 'wait';
  /** It had a deadline, so that a leaf may have stopped retrying because no time was left; false if absent. */
  readonly isHurried?: boolean;
  /** Its deadline of so many milliseconds passed: during the last step, or when the recorded trail was as long as it is. */
  readonly deadlinePasses?: { readonly ms: number; readonly during: 'call' | 'later' };
  /** Its body could not be parsed: the request ends where the body is needed, but no earlier than the recorded one. */
  readonly malformed?: boolean;
  /** Leaves whose dialects cannot express this request: they refuse it themselves. */
  readonly unfitFor?: readonly JsonPointer[];
  /** Leaves of which a limit was reached before an attempt, from 1, and the status that they answered with. */
  readonly limitedAt?: readonly { readonly path: JsonPointer; readonly attempt: number; readonly status: number }[];
  /** The things that the request needed and leaves lacked, by the leaf; none if absent. */
  readonly lacked?: { readonly [leaf: JsonPointer]: readonly Lack[] };
  /** The trail of the request that this one replays: its circuits and verdicts replace unknown ones. */
  readonly recorded?: readonly TrailEvent[];
  /** The copies that mirrors made of the recorded request, which are not in `recorded`; none if absent. */
  readonly copies?: readonly RecordedCopy[];
}

/** How an upstream answers one call. */
export interface UpstreamStep {
  /** The id of the target that it answers for; if absent, the next call. */
  readonly target?: string;
  /** The leaf that it answers; if absent, any that calls its target. */
  readonly path?: JsonPointer;
  /** 200 if absent. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** If absent, an answer, or an error, in the target's dialect. */
  readonly body?: Json;
  /** Whether the answer is a stream; if absent, as requested. */
  readonly stream?: boolean;
  readonly error?: UpstreamFault;
  /** Whether output checks judged the answer: one without a codec, such as that of embeddings, then has a text. */
  readonly judged?: boolean;
  /** It answers when the trail has so many events, and so many calls were made; if absent, at once. */
  readonly afterEvents?: number;
  readonly afterCalls?: number;
  /** With `hang`: it runs out of time in its turn. */
  readonly isExpired?: boolean;
  /** Whether the request's body is not read, so that even a streamed body can be sent again. */
  readonly unread?: boolean;
}

/**
 * `refused`: no connection. `busy`: the connection pool is full. `hang`: no answer. `cut`: the connection is lost.
 * `in-band`: the stream reports an error. Of a step that says `stream: true`, the last three come after the first content.
 */
export type UpstreamFault = 'refused' | 'busy' | 'hang' | 'cut' | 'in-band';
export const upstreamFaults: readonly UpstreamFault[] = ['refused', 'busy', 'hang', 'cut', 'in-band'];

/** The result of a replay. */
export interface Replay {
  readonly status: number;
  readonly trail: readonly TrailEvent[];
  /** Milliseconds until the answer was complete, on a clock that jumps from event to event. */
  readonly ms: number;
  /** The number of unused steps. */
  readonly unusedSteps: number;
  /** The code if the answer is an error of the gateway itself. */
  readonly cause?: string;
  /** The leaf that answered: its place in the config, its target's provider, and `x-gw-retry-attempt-count`. */
  readonly leaf?: { readonly path: string; readonly provider: string; readonly retries: number };
}
