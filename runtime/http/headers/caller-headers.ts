import type { CallerOverrides } from '../../../plugins/sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import type { GatewayError } from '../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { Writable } from '../../../schema/json/writable.ts';

/** The lines of a request that has headers of another gateway's clients, which are read as ours. */
export interface AcceptedHeaders {
  /** The client's lines, and after them those that they are read as. */
  readonly lines: RawHeaders;
  /** The text of a config with the names of this client's gateway; undefined where it sent none. */
  config(): string | undefined;
  /** A text in which headers have the names that this client knows. */
  toTheirs(text: string): string;
  /** The lines of an answer, and after them those that this client knows by another name. */
  answer(lines: string[]): void;
}

/** A request's headers for the gateway, parsed. */
export class CallerHeaders {
  readonly overrides: Writable<CallerOverrides> = {};
  /** Provider settings from the cloud headers. */
  settings: { [field: string]: Json } | undefined;
  traceId: string | undefined;
  traceParent: string | undefined;
  metadata: JsonObject | undefined;
  /** A config as JSON text, or the name of a saved one. */
  config: string | undefined;
  virtualKey: string | undefined;
  serviceKey: string | undefined;
  /** The id or slug of the workspace to act in. */
  workspace: string | undefined;
  /** The header that `overrides.credential` came in, in lower case; absent where it came in the query. */
  credentialHeader: string | undefined;
  /** The texts of the other headers for credentials, where there are several. */
  otherCredentials: string[] | undefined;
  /** Names, in lower case, of headers that no provider may get. */
  removed: string[] | undefined;
  /** Lines of a provider, which the client sent by the gateway's names for them. */
  renamed: string[] | undefined;
  /** The lines of `cookie` that have one of a console's session. */
  cookies: string[] | undefined;
  host: string | undefined;
  origin: string | undefined;
  contentType: string | undefined;
  contentLength: number | undefined;
  contentEncoding: string | undefined;
  chunked = false;
  expectsContinue = false;
  /** Whether `upgrade` offers it. */
  asksForWebSocket = false;
  /** Why it is not known who calls, or what for: a header is there twice, with different values. */
  ambiguity: GatewayError | undefined;
  /** Given where headers of another gateway's clients were read as ours. */
  accepted: AcceptedHeaders | undefined;
  /** The first header that could not be read. */
  problem: GatewayError | undefined;

  /** Whether it brings a config, and not the name of a saved one, which cannot begin like JSON. */
  get bringsConfig(): boolean {
    return this.config !== undefined && /^\s*[{["]/.test(this.config);
  }

  /** Whether a body of at least one byte is announced, or one in chunks. */
  get hasBody(): boolean {
    return this.chunked || (this.contentLength ?? 0) > 0;
  }

  /** Where this request has its service key, or what was taken for one, as the end of a sentence. */
  get keyPlace(): string {
    if (this.serviceKey !== undefined) return 'in the header x-gw-api-key';
    if (this.credentialHeader === undefined) return 'in the query of the URL';
    return this.credentialHeader === 'authorization'
      ? 'as the bearer token of the header authorization'
      : `in the header ${this.credentialHeader}`;
  }
}
