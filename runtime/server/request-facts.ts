import type { ClientRequest } from '../../plugins/sdk/exchange.ts';
import type { Facts } from '../../schema/condition.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { CallerHeaders } from './caller-headers.ts';
import { asLabels } from './header-parsers.ts';
import { wireText } from './wire-text.ts';

const nothing: JsonObject = {};

/** What of an exchange its facts are read from. */
export interface FactSource {
  readonly caller: Pick<CallerHeaders, 'metadata'>;
  readonly request: Pick<ClientRequest, 'body'>;
  /** The request line's target. */
  readonly url: string;
  json(): JsonObject;
}

/** What conditions see of a request; each part is read on first look. */
export class RequestFacts implements Facts {
  private readonly exchange: FactSource;
  private labels: JsonObject | undefined;

  constructor(exchange: FactSource) {
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
