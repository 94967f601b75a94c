import type { Facts } from '../../schema/condition.ts';
import type { JsonObject } from '../../schema/json.ts';
import { asLabels } from './header-parsers.ts';
import type { HttpExchange } from './http-exchange.ts';
import { wireText } from './wire-text.ts';

const nothing: JsonObject = {};

/** What conditions see of a request; each part is read on first look. */
export class RequestFacts implements Facts {
  private readonly exchange: HttpExchange;
  private labels: JsonObject | undefined;

  constructor(exchange: HttpExchange) {
    this.exchange = exchange;
  }

  get metadata(): JsonObject {
    const text = this.exchange.caller.metadata;
    this.labels ??= (text === undefined ? undefined : asLabels(wireText(text), 'x-gw-metadata')) ?? nothing;
    return this.labels;
  }

  get params(): JsonObject {
    return this.exchange.request.body.kind === 'bytes' ? this.exchange.json() : nothing;
  }

  get url(): Facts['url'] {
    const { url } = this.exchange;
    return { pathname: url.split('?', 1)[0] ?? url };
  }
}
