import type { Facts } from '../../schema/condition.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { HttpExchange } from './http-exchange.ts';

const nothing: JsonObject = {};

/** What conditions see of a request; each part is read on first look. */
export class RequestFacts implements Facts {
  private readonly exchange: HttpExchange;

  constructor(exchange: HttpExchange) {
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
