import type { ClientRequest } from '../../plugins/sdk/exchange.ts';
import type { Facts } from '../../schema/condition.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { CallerHeaders } from './caller-headers.ts';

const nothing: JsonObject = {};

/** The parts of an exchange that its facts are read from. */
export interface FactSource {
  readonly caller: Pick<CallerHeaders, 'metadata'>;
  readonly request: Pick<ClientRequest, 'body'>;
  /** The request line's target. */
  readonly url: string;
  json(): JsonObject;
}

/** What conditions see of a request; each part is read on first access. */
export class RequestFacts implements Facts {
  private readonly exchange: FactSource;

  constructor(exchange: FactSource) {
    this.exchange = exchange;
  }

  get metadata(): JsonObject {
    return this.exchange.caller.metadata ?? nothing;
  }

  get params(): JsonObject {
    return this.exchange.request.body.kind === 'bytes' ? this.exchange.json() : nothing;
  }

  get url(): Facts['url'] {
    const { url } = this.exchange;
    return { pathname: url.split('?', 1)[0] ?? url };
  }
}
