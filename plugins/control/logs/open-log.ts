import { withoutCredentials } from '../../../schema/credentials/credential-form.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { Clock } from '../../sdk/clock.ts';
import type { LogStatus } from '../../sdk/control-plane/store-status.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { JudgedHook } from '../../sdk/hooks/hook-result.ts';
import type { Hooks } from '../../sdk/hooks/hooks.ts';
import type { GatewayResponse, RawHeaders, StreamEnd } from '../../sdk/http/http.ts';
import { requestFacts } from '../../sdk/logs/request-line.ts';
import { requestProblem } from '../../sdk/logs/request-problem.ts';
import { requestedModel } from '../../sdk/models/requested-model.ts';
import type { Sealer } from '../kernel/secrets/sealer.ts';
import type { AddJobs } from '../kernel/store/postgres/pool.ts';
import { storedText } from '../kernel/store/rows/storable.ts';
import type { SqliteThread } from '../kernel/store/sqlite/sqlite-thread.ts';
import type { Store } from '../kernel/store/store.ts';
import { waitAtMost } from '../kernel/store/wait-at-most.ts';
import { ArmWriter } from './arm-writer.ts';
import type { FinishedRequest, LoggedBodies } from './encoding/noted-request.ts';
import { FeedbackWriter } from './feedback/feedback-writer.ts';
import { HeldRecords } from './held-records.ts';
import type { LogSettings } from './settings/log-settings.ts';
import type { OpenedSinks, OpenSinksOptions } from './sinks/open-sinks.ts';
import type { SinkOutlet } from './sinks/sink-outlet.ts';
import { maxLabels } from './writer/dimensions.ts';
import { LogWriter } from './writer/log-writer.ts';
import { openLogStore } from './writer/open-log-store.ts';
import { loggedHeaders, mask, namesMember, RecordedBody, sealedBodies } from './writer/sealed-bodies.ts';

const name = 'gatewright/control/logs';
const noHeaders: RawHeaders = [];
const noSecrets: readonly string[] = [];
const noneJudged: readonly JudgedHook[] = [];

/** The maximum size of a body from which members can be removed, because it has to be parsed. A larger body is not stored. */
const maxParsed = 1024 * 1024;

const wholeBytes = ({ body }: Pick<Exchange['request'] | GatewayResponse, 'body'>): Uint8Array | undefined =>
  body.kind === 'bytes' ? body.bytes : undefined;

/** Returns the body of a provider's error response. */
const findErrorBody = (response: GatewayResponse): Uint8Array | undefined =>
  response.origin === 'upstream' && response.status >= 400 ? wholeBytes(response) : undefined;

/** Returns the user in a JSON body or a form, from which the label is derived. */
const userOfBody = (exchange: Exchange): Json | undefined => {
  const { kind } = exchange.request.body;
  try {
    return kind === 'bytes' || kind === 'form' ? exchange.json().user : undefined;
  } catch {
    return undefined;
  }
};

type Named = Pick<FinishedRequest, 'line' | 'problem'>;

/**
 * Masks the user of the body, which must not be stored, in the label that is derived from it, and in the problem of a limit with
 * a counter for each user.
 */
const withoutUser = ({ line, problem }: Named, exchange: Exchange): Named => {
  const user = line.metadata?._user;
  if (typeof user !== 'string' || user !== userOfBody(exchange)) return { line, problem };
  const named = JSON.stringify(withoutCredentials(storedText(user)));
  const about = problem?.about?.replaceAll(named, JSON.stringify(mask));
  return {
    line: { ...line, metadata: { ...line.metadata, _user: mask } },
    problem: problem && { ...problem, ...(about === undefined ? {} : { about }) },
  };
};

const callerSecrets = ({ overrides, secrets }: Exchange): readonly string[] => [
  ...(overrides.credential === undefined ? [] : [overrides.credential]),
  ...Object.values(overrides.settings ?? {}).filter((value) => typeof value === 'string'),
  ...secrets,
];

export interface OpenLogOptions {
  /** The URL of the store. The log is in the same database, or in a file beside it. */
  readonly url: string;
  /** The thread that its file shares with the store, if it is in a file. */
  readonly thread?: (() => SqliteThread) | undefined;
  /** Adds jobs of PostgreSQL to the thread that the store uses too. */
  readonly addJobs?: AddJobs | undefined;
  readonly leads?: Store['leads'];
  readonly settings: LogSettings;
  /** The names of the gateway file's labels that have hourly sums. */
  readonly labels?: readonly string[];
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly clock: Clock;
  readonly say: (text: string) => void;
  /** Other destinations of records. */
  readonly sinks?:
    | (Omit<OpenSinksOptions, 'settings' | 'clock' | 'outlet'> & {
        /** Rejects with a `StoreError` if the sinks cannot be used. */
        readonly outlet: () => Promise<SinkOutlet>;
      })
    | undefined;
}

const megabyte = 1024 * 1024;
/** How long the end of the process waits for comparisons and feedback, in milliseconds. */
const longestFlush = 1000;

/** The log of a gateway. */
export class OpenedLog extends LogWriter {
  readonly settings: LogSettings;
  /** The names of the labels that have hourly sums. */
  readonly labels: readonly string[];
  readonly #clock: Clock;
  readonly #hidesUser: boolean;
  // The state of a request is stored by its trail, because an exchange that a plugin replaced still has that.
  readonly #judged = new WeakMap<object, JudgedHook[]>();
  readonly #streams = new WeakMap<object, RecordedBody>();
  readonly #arms: ArmWriter;
  readonly #feedback: FeedbackWriter;
  readonly #held: HeldRecords;
  #sinks: OpenedSinks | undefined;

  constructor({ url, thread, addJobs, leads, settings, labels = [], sealer, clock, say }: OpenLogOptions) {
    const { keepDays, keepMb } = settings;
    super({
      open: () => openLogStore(url, { keepBytes: keepMb * megabyte, thread: thread?.(), addJobs }),
      seal: ({ id, workspace, bodies }) => sealedBodies({ id, workspace_id: workspace }, bodies, { sealer, settings }),
      kept: { days: keepDays, bytes: keepMb * megabyte },
      labels: labels.slice(0, maxLabels),
      leads,
      clock,
      say,
    });
    this.settings = settings;
    this.labels = labels.slice(0, maxLabels);
    this.#clock = clock;
    this.#hidesUser = namesMember(settings.redact, 'user');
    const behind = { store: () => this.store(), clock };
    this.#arms = new ArmWriter(behind);
    this.#feedback = new FeedbackWriter(behind);
    this.#held = new HeldRecords(clock);
  }

  /** Records each request of a caller that a control plane identified, when its response and its checks have ended. */
  tap(hooks: Hooks): void {
    hooks.judged.tap(name, (event, exchange) => {
      const { trail } = exchange;
      this.#feedback.take(event, exchange);
      const before = this.#judged.get(trail);
      if (before === undefined) this.#judged.set(trail, [event]);
      else before.push(event);
    });
    if (this.settings.bodies)
      hooks.response.tap(name, (response, exchange) => {
        if (response.body.kind !== 'stream' || !this.#keepsBodies(exchange)) return response;
        const body = new RecordedBody(response.body, this.settings.bodyBytes);
        this.#streams.set(exchange.trail, body);
        return { ...response, body };
      });
    hooks.mirrored.tap(name, (report, exchange) => this.#arms.take(report, exchange));
    hooks.completed.tap(name, (response, exchange, end) => this.#note(response, exchange, end));
  }

  override async close(): Promise<void> {
    await waitAtMost(this.#held.pendingChecks(), longestFlush);
    this.#held.release();
    await waitAtMost([this.#arms.flush(), this.#feedback.flush()], longestFlush);
    await Promise.all([super.close(), this.#sinks?.close()]);
  }

  /** Sends the records to these sinks too. */
  sendTo(sinks: OpenedSinks): this {
    this.#sinks = sinks;
    return this;
  }

  override status(): LogStatus {
    const status = super.status();
    const sinks = this.#sinks?.writer.status();
    return sinks === undefined ? status : { ...status, sinks };
  }

  #note(response: GatewayResponse, exchange: Exchange, end: StreamEnd): void {
    const { principal, route, plan, trail } = exchange;
    const { organisation, workspace } = principal;
    const judged = this.#takeJudged(trail);
    if (organisation === undefined || workspace === undefined || route.isControl === true) return;
    const facts = requestFacts(exchange, response, { end, monotonic: this.#clock.monotonic() });
    const named = { line: facts, problem: requestProblem(exchange, response, end) };
    const { line, problem } = this.#hidesUser ? withoutUser(named, exchange) : named;
    const request: FinishedRequest = {
      at: this.#clock.wall(),
      line,
      problem,
      organisation,
      workspace,
      operation: route.operation,
      plan: plan?.routing,
      leaf: response.leaf,
      prompt: exchange.labels?.prompt,
      requestedModel: requestedModel(exchange),
      judged,
      headers: this.#toHeaders(exchange),
      errorBody: findErrorBody(response),
      callerSecrets: response.status >= 400 ? callerSecrets(exchange) : noSecrets,
      bodies: this.#findBodies(exchange, response),
    };
    const checks = exchange.labels?.background;
    if (checks === undefined) this.#take(request);
    else this.#held.hold(checks, () => this.#take({ ...request, judged: [...judged, ...this.#takeJudged(trail)] }));
  }

  #take(request: FinishedRequest): void {
    this.add(request, this.#sinks?.writer.add(request));
  }

  /** Takes the findings of checks since the last call. A map of what has ended would cost time in each garbage collection. */
  #takeJudged(trail: object): readonly JudgedHook[] {
    const judged = this.#judged.get(trail);
    if (judged === undefined) return noneJudged;
    this.#judged.delete(trail);
    return judged;
  }

  #keepsBodies({ overrides, principal, route }: Exchange): boolean {
    const isAsked = overrides.debug !== false && principal.workspace !== undefined && route.isControl !== true;
    return this.settings.bodies && isAsked;
  }

  #findBodies(exchange: Exchange, response: GatewayResponse): LoggedBodies | undefined {
    if (!this.#keepsBodies(exchange)) return undefined;
    return {
      request: this.#parseable(wholeBytes(exchange.request)),
      response: this.#parseable(this.#streams.get(exchange.trail)?.bytes ?? wholeBytes(response)),
    };
  }

  #parseable(bytes: Uint8Array | undefined): Uint8Array | undefined {
    return bytes !== undefined && this.settings.redact.length > 0 && bytes.length > maxParsed ? undefined : bytes;
  }

  #toHeaders({ request, overrides: { sensitiveHeaders = [] } }: Exchange): RawHeaders {
    const { headers: allowed } = this.settings;
    return allowed.length === 0 ? noHeaders : loggedHeaders(request.headers, { allowed, sensitive: sensitiveHeaders });
  }
}

/**
 * Opens the log. Resolves even if the log cannot be opened: that is reported to the operator, and opening is retried. Rejects
 * with a `StoreError` if the sinks cannot be used.
 */
export const openLog = async (options: OpenLogOptions): Promise<OpenedLog> => {
  const { sinks, settings, clock } = options;
  const opened =
    sinks === undefined
      ? undefined
      : (await import('./sinks/open-sinks.ts')).openSinks({ ...sinks, outlet: await sinks.outlet(), settings, clock });
  const log = await new OpenedLog(options).start();
  return opened === undefined ? log : log.sendTo(opened);
};
