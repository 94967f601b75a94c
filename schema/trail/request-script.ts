import type { Json, JsonObject } from '../json/json.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Lack } from '../model-facts/lack.ts';
import type { RecordedCopy } from './recorded-copies.ts';
import type { TrailEvent } from './trail.ts';

/** A request to run on a plan, with the behaviour of its upstreams. `gw explain --request` reads one from a file. */
export interface RequestScript {
  readonly method: string;
  /** The gateway's own path, `/v1` included. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly metadata: JsonObject;
  /** The body; a default body for the path if absent. */
  readonly body?: Json;
  /** The model of the default body, if bodies of its path name one. */
  readonly model?: string;
  /** The name of the config or model that its virtual model stands for: the fact `plan.model`. */
  readonly planModel?: string;
  /** Whether the default body requests a stream. */
  readonly stream?: boolean;
  /** Whether the body is streamed and can be sent only once. If absent, the gateway's usual behaviour applies. */
  readonly once?: boolean;
  /** Whether it has no body, although its method could have one. */
  readonly empty?: boolean;
  /** The seed, which determines every random draw. */
  readonly seed: number;
  /**
   * The replies of upstreams. A call uses the first unused step that names its target or no target. Without one it gets a plain
   * 200.
   */
  readonly upstream: readonly UpstreamStep[];
  /** When the client disconnects: during the last step, or in the wait at the end of the recorded trail. */
  readonly clientLeaves?: 'call' | 'wait';
  /** Whether it had a deadline, so that a leaf may have stopped retrying because no time was left; false if absent. */
  readonly hadDeadline?: boolean;
  /** The deadline in milliseconds that passed: during the last step, or at the end of the recorded trail. */
  readonly deadlinePasses?: { readonly ms: number; readonly during: 'call' | 'later' };
  /** Whether its body could not be parsed. The request ends where the body is needed, but no earlier than the recorded one. */
  readonly malformed?: boolean;
  /** Leaves whose dialects cannot express this request, so that they refuse it themselves. */
  readonly inexpressibleAt?: readonly JsonPointer[];
  /** Leaves for which a limit was reached before an attempt (counted from 1), and the status with which they responded. */
  readonly limitedAt?: readonly { readonly path: JsonPointer; readonly attempt: number; readonly status: number }[];
  /** The needs of the request that leaves lacked, by the leaf; none if absent. */
  readonly missingAt?: { readonly [leaf: JsonPointer]: readonly Lack[] };
  /** The trail of the request that this one replays. Its circuits and verdicts replace unknown ones. */
  readonly recorded?: readonly TrailEvent[];
  /** The copies that mirrors made of the recorded request, which are not in `recorded`; none if absent. */
  readonly copies?: readonly RecordedCopy[];
}

/** The response of an upstream to one call. */
export interface UpstreamStep {
  /** The id of the target whose call it answers; the next call if absent. */
  readonly target?: string;
  /** The leaf whose call it answers; any leaf that calls its target if absent. */
  readonly path?: JsonPointer;
  /** The status; 200 if absent. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** The body; a response or an error in the target's dialect if absent. */
  readonly body?: Json;
  /** Whether the response is a stream; as requested if absent. */
  readonly stream?: boolean;
  readonly error?: UpstreamFault;
  /** Whether output checks judged the response. A response without a codec, such as embeddings, then has a text. */
  readonly judged?: boolean;
  /** Responds when the trail has this many events and `afterCalls` calls were made; at once if absent. */
  readonly afterEvents?: number;
  readonly afterCalls?: number;
  /** With `hang`: whether it times out in its turn. */
  readonly isExpired?: boolean;
  /** Whether the request's body is not read, so that even a streamed body can be sent again. */
  readonly unread?: boolean;
}

/**
 * `refused`: no connection. `busy`: the connection pool is full. `hang`: no response. `cut`: the connection is lost. `in-band`:
 * the stream reports an error. In a step with `stream: true`, the last three happen after the first content.
 */
export type UpstreamFault = 'refused' | 'busy' | 'hang' | 'cut' | 'in-band';
export const upstreamFaults: readonly UpstreamFault[] = ['refused', 'busy', 'hang', 'cut', 'in-band'];

/** The result of a replay. */
export interface Replay {
  readonly status: number;
  readonly trail: readonly TrailEvent[];
  /** The milliseconds until the response was complete, on a clock that jumps from event to event. */
  readonly ms: number;
  /** The number of unused steps. */
  readonly unusedSteps: number;
  /** The error code, if the response is an error of the gateway itself. */
  readonly cause?: string;
  /** The leaf that responded: its place in the config, its target's provider, and `x-gw-retry-attempt-count`. */
  readonly leaf?: { readonly path: string; readonly provider: string; readonly retries: number };
}
