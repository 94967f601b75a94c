import type { AnswerEdit } from '../../../plugins/sdk/dialect/answer-edit.ts';
import type { TranslatedRequest } from '../../../plugins/sdk/dialect/operation-translation.ts';
import type { GatewayResponse, UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { AskedTranslation } from '../target/translation.ts';
import type { SplitRequest } from './split-request.ts';

/** A request ready to be sent, and how to read its answer. */
export interface OutgoingCall {
  readonly request: UpstreamRequest;
  /** Absent if the request is passed through or not sent. */
  readonly translation: AskedTranslation | undefined;
  /** The gateway's own answer, in the client's dialect, to a request that is not sent. */
  readonly estimated?: GatewayResponse | undefined;
  /** Whether the client asked for usage at the end of the stream. */
  readonly streamUsage: boolean;
  /**
   * The model of a translated request, for answers that do not name it. For other requests, only if something consumes usage that
   * the gateway reads.
   */
  readonly model: string | undefined;
  /** The maximum number of tokens of the answer, if the request sets it and something consumes usage. */
  readonly maxOutput: number | undefined;
  /** The service tier that the request asks for, if something consumes usage. */
  readonly tier?: string | undefined;
  /** The id of the dialect in which plugins read the usage of a small answer. Absent if the gateway reads it. */
  readonly unread?: string | undefined;
  /**
   * Whether `model` and `maxOutput` are absent because nothing has read the request. Its model is then read if its answer has
   * none.
   */
  readonly isReadLate?: boolean;
  /** The member of the stream's frames that the gateway requested and the client did not. */
  readonly strip: string | undefined;
  /** Changes to its answers before anything else reads them. Absent if there are none. */
  readonly edits?: readonly AnswerEdit[] | undefined;
  /** For an operation in another format: the request, which is needed to write its answer. */
  readonly asked?: TranslatedRequest | undefined;
  /** The body that was written, until it is known whether it is sent in parts. Absent if none was written. */
  readonly members?: JsonObject | undefined;
  /** The parts in which it is sent, if its provider limits the number of texts per request. */
  readonly split?: SplitRequest | undefined;
  /** The size in bytes of the beginning of an answer to be continued, which its client has not sent. Absent if there is none. */
  readonly continuedBytes?: number | undefined;
  /** The losses of the request in the provider's dialect, as the answer's header reports them. */
  readonly dropped: string | undefined;
}
