import type { Json } from '../../../schema/json/json.ts';
import type { Clock } from '../../sdk/clock.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { JudgedHook } from '../../sdk/hooks/hook-result.ts';
import type { Hooks } from '../../sdk/hooks/hooks.ts';
import type { GatewayResponse, RawHeaders } from '../../sdk/http/http.ts';
import { type RequestFacts, requestFacts } from '../../sdk/logs/request-line.ts';
import { requestProblem } from '../../sdk/logs/request-problem.ts';
import { requestedModel } from '../../sdk/models/requested-model.ts';
import type { Sealer } from '../kernel/secrets/sealer.ts';
import { loggedHeaders } from './recording/logged-headers.ts';
import type { FinishedRequest, LoggedBodies } from './recording/noted-request.ts';
import { mask, namesMember, RecordedBody, sealedBodies } from './recording/sealed-bodies.ts';
import type { LogSettings } from './settings/log-settings.ts';
import { openLogStore } from './store/open-log-store.ts';
import { type LogWriter, startLogWriter } from './writer/log-writer.ts';

interface LogHooksOptions {
  readonly clock: Pick<Clock, 'wall' | 'monotonic'>;
  readonly settings: LogSettings;
  readonly add: (request: FinishedRequest) => void;
}

const name = 'gatewright/control/logs';
const noHeaders: RawHeaders = [];
const noSecrets: readonly string[] = [];
const noneJudged: readonly JudgedHook[] = [];

/** A larger body is not kept where something is to be taken out of it, since it would have to be parsed. */
const maxParsed = 1024 * 1024;

const wholeBytes = ({ body }: Pick<GatewayResponse, 'body'>): Uint8Array | undefined =>
  body.kind === 'bytes' ? body.bytes : undefined;

/** An error that a provider answered with. */
const findErrorBody = (response: GatewayResponse): Uint8Array | undefined =>
  response.origin === 'upstream' && response.status >= 400 ? wholeBytes(response) : undefined;

const userOfBody = (exchange: Exchange): Json | undefined => {
  try {
    return exchange.request.body.kind === 'bytes' ? exchange.json().user : undefined;
  } catch {
    return undefined;
  }
};

/** A request whose label of the user is masked where it is what its body says, and that is not kept. */
const withoutUser = (line: RequestFacts, exchange: Exchange): RequestFacts => {
  const { metadata } = line;
  if (metadata?._user === undefined || metadata._user !== userOfBody(exchange)) return line;
  return { ...line, metadata: { ...metadata, _user: mask } };
};

const callerSecrets = ({ overrides, secrets }: Exchange): readonly string[] => [
  ...(overrides.credential === undefined ? [] : [overrides.credential]),
  ...Object.values(overrides.settings ?? {}).filter((value) => typeof value === 'string'),
  ...secrets,
];

/** Notes each request of a caller that a control plane identified when its answer has ended. */
const tapLog = (hooks: Hooks, { clock, settings, add }: LogHooksOptions): void => {
  // What belongs to one request is found by its trail, which an exchange that a plugin replaced still has.
  const judged = new WeakMap<object, JudgedHook[]>();
  const streams = new WeakMap<object, RecordedBody>();

  const hidesUser = namesMember(settings.redact, 'user');

  const keepsBodies = ({ overrides, principal, route }: Exchange): boolean =>
    settings.bodies && overrides.debug !== false && principal.workspace !== undefined && route.isControl !== true;

  const parseable = (bytes: Uint8Array | undefined): Uint8Array | undefined =>
    bytes !== undefined && settings.redact.length > 0 && bytes.length > maxParsed ? undefined : bytes;

  const findBodies = (exchange: Exchange, response: GatewayResponse): LoggedBodies | undefined => {
    if (!keepsBodies(exchange)) return undefined;
    const { body } = exchange.request;
    return {
      request: parseable(body.kind === 'bytes' ? body.bytes : undefined),
      response: parseable(streams.get(exchange.trail)?.bytes ?? wholeBytes(response)),
    };
  };

  const toHeaders = ({ request, overrides: { sensitiveHeaders = [] } }: Exchange): RawHeaders =>
    settings.headers.length === 0
      ? noHeaders
      : loggedHeaders(request.headers, { allowed: settings.headers, sensitive: sensitiveHeaders });

  hooks.judged.tap(name, (event, { trail }) => {
    const before = judged.get(trail);
    if (before === undefined) judged.set(trail, [event]);
    else before.push(event);
  });
  if (settings.bodies)
    hooks.response.tap(name, (response, exchange) => {
      if (response.body.kind !== 'stream' || !keepsBodies(exchange)) return response;
      const body = new RecordedBody(response.body, settings.bodyBytes);
      streams.set(exchange.trail, body);
      return { ...response, body };
    });
  hooks.completed.tap(name, (response, exchange, end) => {
    const { principal, route, plan, trail } = exchange;
    const { organisation, workspace } = principal;
    const found = judged.get(trail);
    // A map of what has ended would cost each collection of garbage time.
    if (found !== undefined) judged.delete(trail);
    if (organisation === undefined || workspace === undefined || route.isControl === true) return;
    const monotonic = clock.monotonic();
    const facts = requestFacts(exchange, response, { end, monotonic });
    const line = hidesUser ? withoutUser(facts, exchange) : facts;
    add({
      at: clock.wall(),
      line,
      problem: requestProblem(exchange, response, end),
      organisation,
      workspace,
      operation: route.operation,
      plan: plan?.routing,
      leaf: response.leaf,
      prompt: exchange.labels?.prompt,
      requestedModel: requestedModel(exchange),
      judged: found ?? noneJudged,
      headers: toHeaders(exchange),
      errorBody: findErrorBody(response),
      callerSecrets: response.status >= 400 ? callerSecrets(exchange) : noSecrets,
      bodies: findBodies(exchange, response),
    });
  });
};

interface OpenLogOptions {
  /** The URL of the store, beside or in which the log is. */
  readonly url: string;
  readonly settings: LogSettings;
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly clock: Clock;
  readonly say: (text: string) => void;
}

/** The log of a gateway. */
export interface OpenedLog extends Omit<LogWriter, 'add'> {
  readonly settings: LogSettings;
  /** Notes every request that ends. */
  tap(hooks: Hooks): void;
}

const megabyte = 1024 * 1024;

/** Opens the log. It resolves also where the log cannot be opened: that is reported to the operator, and it is tried again. */
export const openLog = async ({ url, settings, sealer, clock, say }: OpenLogOptions): Promise<OpenedLog> => {
  const { keepDays, keepMb } = settings;
  const { add, ...writer } = await startLogWriter({
    open: () => openLogStore(url, keepMb * megabyte),
    seal: ({ id, workspace, bodies }) => sealedBodies({ id, workspace_id: workspace }, bodies, { sealer, settings }),
    kept: { days: keepDays, bytes: keepMb * megabyte },
    clock,
    say,
  });
  return { ...writer, settings, tap: (hooks) => tapLog(hooks, { clock, settings, add }) };
};
