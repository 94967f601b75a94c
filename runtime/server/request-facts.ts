import type { ClientRequest, Route } from '../../plugins/sdk/exchange.ts';
import type { Facts } from '../../schema/condition.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { CallerHeaders } from './caller-headers.ts';

const nothing: JsonObject = {};

/** The params of a request whose path says what in other dialects the body says; the provider reads it there too. */
const withPath = (body: JsonObject, { model, stream }: Pick<Route, 'model' | 'stream'>): JsonObject => ({
  ...body,
  ...(model === undefined ? {} : { model }),
  ...(stream === undefined ? {} : { stream }),
});

/** The parts of an exchange that its facts are read from. */
export interface FactSource {
  readonly caller: Pick<CallerHeaders, 'metadata'>;
  readonly request: Pick<ClientRequest, 'body'>;
  readonly route: Pick<Route, 'model' | 'stream'>;
  /** The request line's target. */
  readonly url: string;
  json(): JsonObject;
}

/** What conditions see of a request; each part is read on first access. */
export class RequestFacts implements Facts {
  private readonly exchange: FactSource;
  private paramsWithPath: JsonObject | undefined;

  constructor(exchange: FactSource) {
    this.exchange = exchange;
  }

  get metadata(): JsonObject {
    return this.exchange.caller.metadata ?? nothing;
  }

  get params(): JsonObject {
    const { route } = this.exchange;
    if (route.model === undefined && route.stream === undefined) return this.body;
    this.paramsWithPath ??= withPath(this.body, route);
    return this.paramsWithPath;
  }

  private get body(): JsonObject {
    return this.exchange.request.body.kind === 'bytes' ? this.exchange.json() : nothing;
  }

  get url(): Facts['url'] {
    const { url } = this.exchange;
    return { pathname: url.split('?', 1)[0] ?? url };
  }
}
