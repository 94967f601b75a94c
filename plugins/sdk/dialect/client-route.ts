import type { JsonObject } from '../../../schema/json/json.ts';
import type { Operation } from '../exchange/exchange.ts';
import type { FramingId } from '../http/framing-id.ts';

/** The query of a request, for example a `URLSearchParams`. */
export interface RequestQuery {
  /** Returns the first value of a parameter, decoded, or null if there is none. */
  get(name: string): string | null;
}

/** An endpoint that the gateway serves to the clients of a dialect, both below its base URL and at its root. */
export interface ClientRoute {
  /**
   * `/chat/completions`, `/v1beta/models/{model}:generateContent`. `{model}` matches one segment, or its part before a colon, and
   * is percent-decoded. Only the model of a saved provider, `@slug/model`, may span several segments.
   */
  readonly path: `/${string}`;
  /** The operation; that of the dialect if absent. */
  readonly operation?: Exclude<Operation, 'opaque'>;
  /** Whether answers are streams. If absent, the body's `stream` decides. */
  readonly stream?: boolean;
  /** Whether the model in the path replaces the model in the body, as for Azure's deployments. */
  readonly modelInBody?: true;
  /** Whether requests may be forms of the type multipart/form-data. The dialect then reads their fields. */
  readonly hasForms?: true;
  /** Returns the framing of streams, which may depend on the query. If absent, the dialect's own. */
  framing?(query: RequestQuery): FramingId;
  /** The name of the operation in `openapi.json`, unique among all routes. Derived from the path if absent. */
  readonly operationId?: string;
  /** A one-line summary for `openapi.json`. */
  readonly summary?: string;
}

/** Where the clients of a dialect send their credential. It is removed from the request, and never forwarded or logged. */
export interface ClientCredentials {
  /** Headers, in addition to `authorization: Bearer`, which always works. */
  readonly headers?: readonly string[];
  /** Query parameters, on the dialect's own paths. Headers take precedence over them. */
  readonly query?: readonly string[];
}

/** The parts of a request that its path specifies, for dialects whose bodies do not contain them. */
export interface RequestPath {
  readonly model?: string;
  readonly stream?: boolean;
}

/** A model that a plan can reach. */
export interface ListedModel {
  readonly id: string;
  readonly provider: string;
}

/** How a dialect lists models at `GET /models`, and describes one model at `GET /models/{model}`. */
export interface ModelList {
  /** A header, in lower case, that only this dialect's clients send. Absent if there is none. */
  readonly clientHeader?: string;
  /** A text that only this dialect's clients send in that header, in any case. If absent, any value of the header counts. */
  readonly clientMark?: string;
  /** The path, next to `/models`, at which only this dialect's clients list models: `/v1beta/models`. */
  readonly path?: `/${string}`;
  /**
   * Returns the list of models. Its only array has an object for each model; that object alone is the answer to a request for one
   * model.
   */
  encode(models: readonly ListedModel[]): JsonObject;
}
