import type { JsonObject } from '../../../schema/json/json.ts';
import type { Operation } from '../exchange/exchange.ts';
import type { FramingId } from '../http/framing-id.ts';

/** The query of a request; a `URLSearchParams` is one. */
export interface RequestQuery {
  /** The first value of a member, decoded; null if there is none. */
  get(name: string): string | null;
}

/** An endpoint that the gateway serves to the clients of a dialect, below its base URL and at its root. */
export interface ClientRoute {
  /**
   * `/chat/completions`, `/v1beta/models/{model}:generateContent`. `{model}` stands for one segment, or for its part
   * before a colon; its value is percent-decoded. Only the model of a saved provider, `@slug/model`, may be several.
   */
  readonly path: `/${string}`;
  /** The dialect's own operation if absent. */
  readonly operation?: Exclude<Operation, 'opaque'>;
  /** Whether answers are streams; absent if the body's `stream` says so. */
  readonly stream?: boolean;
  /** Whether the model in the path belongs into the body, whose own it replaces, as at Azure's deployments. */
  readonly modelInBody?: true;
  /** Whether its requests may be forms of the type multipart/form-data: of these the dialect reads the fields. */
  readonly hasForms?: true;
  /** The framing of streams, which the query may choose; the dialect's own if absent. */
  framing?(query: RequestQuery): FramingId;
  /** The name of the operation in `openapi.json`, unique among all routes; made of the path if absent. */
  readonly operationId?: string;
  /** One line for `openapi.json`. */
  readonly summary?: string;
}

/** Where the clients of a dialect present their credential: it is taken, and never forwarded or logged. */
export interface ClientCredentials {
  /** Beside `authorization: Bearer`, which is always taken. */
  readonly headers?: readonly string[];
  /** Members of the query, on the dialect's paths; a header counts before them. */
  readonly query?: readonly string[];
}

/** The members of a request that its path gives, for dialects whose bodies do not have them. */
export interface RequestPath {
  readonly model?: string;
  readonly stream?: boolean;
}

/** A model that a plan can reach. */
export interface ListedModel {
  readonly id: string;
  readonly provider: string;
}

/** How a dialect lists models, at `GET /models`, and describes one of them, at `GET /models/{model}`. */
export interface ModelList {
  /** The header, in lower case, that only this dialect's clients send; absent if they send none. */
  readonly clientHeader?: string;
  /** A text that only their values of that header contain, in any case; absent: any value is theirs. */
  readonly clientMark?: string;
  /** The path at which only this dialect's clients list models, beside `/models`: `/v1beta/models`. */
  readonly path?: `/${string}`;
  /** The one array of the list has an object for each model, which by itself is the answer to a request for that model. */
  encode(models: readonly ListedModel[]): JsonObject;
}
