import type {
  ClientRequest,
  NamedVirtualModel,
  Principal,
  Route,
  ServedLabels,
} from '../../../plugins/sdk/exchange/exchange.ts';
import { identifiedMetadata, isIdentified } from '../../../plugins/sdk/exchange/identified-metadata.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import type { CallerHeaders } from '../headers/caller-headers.ts';

const nothing: JsonObject = {};

/**
 * Returns the params of a request whose path contains what the body contains in other dialects. The provider reads it in the path
 * too.
 */
const withPath = (body: JsonObject, { model, stream }: Pick<Route, 'model' | 'stream'>): JsonObject => ({
  ...body,
  ...(model === undefined ? {} : { model }),
  ...(stream === undefined ? {} : { stream }),
});

/** The parts of an exchange that its facts are read from. */
export interface FactSource {
  readonly caller: Pick<CallerHeaders, 'metadata'>;
  readonly request: Pick<ClientRequest, 'body'>;
  readonly route: Pick<Route, 'model' | 'stream' | 'operation'>;
  readonly principal: Principal;
  readonly labels?: ServedLabels;
  readonly virtualModel?: NamedVirtualModel | undefined;
  /** The target of the request line. */
  readonly url: string;
  json(): JsonObject;
}

/** Whether a body is not a stream. Streams are passed through. */
const isReadable = ({ body }: FactSource['request']): boolean => body.kind === 'bytes' || body.kind === 'form';

/** Returns the `user` of a modelled request's body. A body that is not JSON has none. */
const findUser = (source: FactSource): string | undefined => {
  const { route, request } = source;
  if (route.operation === 'opaque' || !isReadable(request)) return undefined;
  try {
    const { user } = source.json();
    return typeof user === 'string' && user !== '' ? user : undefined;
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

/** The facts of a request that conditions use. Each part is read on first access. */
export class RequestFacts implements Facts {
  private readonly exchange: FactSource;
  private identified: JsonObject | undefined;
  private labelled: JsonObject | undefined;
  private paramsWithPath: JsonObject | undefined;

  constructor(exchange: FactSource) {
    this.exchange = exchange;
  }

  get metadata(): JsonObject {
    const prompt = this.exchange.labels?.prompt;
    if (prompt === undefined) return this.ownMetadata;
    if (this.labelled?._prompt !== prompt) this.labelled = { ...this.ownMetadata, _prompt: prompt };
    return this.labelled;
  }

  private get ownMetadata(): JsonObject {
    const { caller, principal } = this.exchange;
    if (!isIdentified(principal)) return caller.metadata ?? nothing;
    this.identified ??= identifiedMetadata(principal, caller.metadata, () => findUser(this.exchange));
    return this.identified;
  }

  get params(): JsonObject {
    const { route } = this.exchange;
    if (route.model === undefined && route.stream === undefined) return this.body;
    this.paramsWithPath ??= withPath(this.body, route);
    return this.paramsWithPath;
  }

  private get body(): JsonObject {
    return isReadable(this.exchange.request) ? this.exchange.json() : nothing;
  }

  get plan(): Facts['plan'] {
    const { virtualModel } = this.exchange;
    return virtualModel && { model: virtualModel.standsFor };
  }

  get url(): Facts['url'] {
    const { url } = this.exchange;
    return { pathname: url.split('?', 1)[0] ?? url };
  }
}
