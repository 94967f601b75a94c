import type { AnswerEdit } from '../../../plugins/sdk/dialect/answer-edit.ts';
import type { AskedOperation } from '../../../plugins/sdk/dialect/operation-translation.ts';
import type { GatewayResponse, UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { AskedTranslation } from '../target/translation.ts';
import type { SplitRequest } from './split-request.ts';

/** A request ready to be sent, and how to read its answer. */
export interface OutgoingCall {
  readonly request: UpstreamRequest;
  /** Absent if the request is passed through, or is not sent. */
  readonly translation: AskedTranslation | undefined;
  /** The gateway's own answer, in the client's dialect, to a request that is not sent. */
  readonly estimated?: GatewayResponse | undefined;
  /** Whether the client asked for usage at the end of the stream. */
  readonly streamUsage: boolean;
  /** The model of a translated request, for answers that do not name it; of others only if something consumes usage that the gateway reads. */
  readonly model: string | undefined;
  /** The most tokens that the answer may have, if the request says so and something consumes usage. */
  readonly maxOutput: number | undefined;
  /** The id of the dialect in which plugins read what a small answer used; absent if the gateway reads it. */
  readonly unread?: string | undefined;
  /** Whether `model` and `maxOutput` are absent because nothing has read the request: its model is read where its answer has none. */
  readonly isReadLate?: boolean;
  /** The member of the stream's frames that the gateway asked for, and the client did not. */
  readonly strip: string | undefined;
  /** How its answers change before anything else reads them; absent if they do not. */
  readonly edits?: readonly AnswerEdit[] | undefined;
  /** Of an operation in another format: the request, by which its answer is written. */
  readonly asked?: AskedOperation | undefined;
  /** The body that was written, until it is known whether it is sent in parts; absent where it was not. */
  readonly members?: JsonObject | undefined;
  /** The parts in which it is sent, if its provider takes only so many texts in one request. */
  readonly split?: SplitRequest | undefined;
  /** The bytes of the beginning of an answer that it asks for the rest of, which its client has not sent; absent if there is none. */
  readonly saidBytes?: number | undefined;
  /** The losses of the request on its way into the provider's dialect, as the answer's header reports them. */
  readonly dropped: string | undefined;
}
