import type { CallerOverrides } from '../../../plugins/sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import type { GatewayError } from '../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { Writable } from '../../../schema/json/writable.ts';

/** The lines of a request with headers of another gateway's clients, translated to the gateway's own. */
export interface AcceptedHeaders {
  /** The client's lines, followed by their translations. */
  readonly lines: RawHeaders;
  /** Returns the text of a config with the names of this client's gateway. Undefined if the client sent none. */
  config(): string | undefined;
  /** Returns a text in which headers have the names that this client knows. */
  toTheirs(text: string): string;
  /** Appends to the lines of an answer those that this client knows by another name. */
  answer(lines: string[]): void;
}

/** The parsed headers of a request for the gateway. */
export class CallerHeaders {
  readonly overrides: Writable<CallerOverrides> = {};
  /** Provider settings from the cloud headers. */
  settings: { [field: string]: Json } | undefined;
  traceId: string | undefined;
  traceParent: string | undefined;
  metadata: JsonObject | undefined;
  /** A config as JSON text, or the name of a saved config. */
  config: string | undefined;
  virtualKey: string | undefined;
  serviceKey: string | undefined;
  /** The id or slug of the workspace to act in. */
  workspace: string | undefined;
  /** The header that contained `overrides.credential`, in lower case. Absent if it came in the query. */
  credentialHeader: string | undefined;
  /** The texts of the other credential headers, if there are several. */
  otherCredentials: string[] | undefined;
  /** Names, in lower case, of headers that no provider may receive. */
  removed: string[] | undefined;
  /** Lines for a provider, which the client sent under the gateway's names for them. */
  renamed: string[] | undefined;
  /** The lines of `cookie` that contain a cookie of a console session. */
  cookies: string[] | undefined;
  host: string | undefined;
  origin: string | undefined;
  contentType: string | undefined;
  contentLength: number | undefined;
  contentEncoding: string | undefined;
  chunked = false;
  expectsContinue = false;
  /** Whether `upgrade` offers WebSocket. */
  asksForWebSocket = false;
  /** Why it is unclear who calls, or what for: a header is repeated with different values. */
  ambiguity: GatewayError | undefined;
  /** Set if headers of another gateway's clients were translated. */
  accepted: AcceptedHeaders | undefined;
  /** The first header that could not be read. */
  problem: GatewayError | undefined;

  /** Whether it contains a config, and not the name of a saved one, which cannot begin like JSON. */
  get bringsConfig(): boolean {
    return this.config !== undefined && /^\s*[{["]/.test(this.config);
  }

  /** Whether a body of at least one byte, or a chunked one, is announced. */
  get hasBody(): boolean {
    return this.chunked || (this.contentLength ?? 0) > 0;
  }

  /** Returns where this request has its service key, or what was taken for one, as the end of a sentence. */
  get keyPlace(): string {
    if (this.serviceKey !== undefined) return 'in the header x-gw-api-key';
    if (this.credentialHeader === undefined) return 'in the query of the URL';
    return this.credentialHeader === 'authorization'
      ? 'as the bearer token of the header authorization'
      : `in the header ${this.credentialHeader}`;
  }
}
