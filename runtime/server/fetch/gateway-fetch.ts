/** The platform's own type if its declarations (Node's or the DOM's) are present, so that none have to be installed. */
type Global<Name extends string, Without> =
  typeof globalThis extends Record<Name, { readonly prototype: infer Instance }> ? Instance : Without;

/** The members of an answer that a program without the platform's types can use. */
export interface PlainResponse {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

/** The web's `Request`. */
export type WebRequest = Global<'Request', object>;
/** The web's `Response`. */
export type WebResponse = Global<'Response', PlainResponse>;

/** A gateway with the web's own types: `new OpenAI({ fetch: (url, init) => gatewayFetch(new Request(url, init)) })`. */
export type GatewayFetch = (request: WebRequest) => Promise<WebResponse>;
