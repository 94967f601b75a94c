import type { Scope, UpstreamAnswer, UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { Prices } from '../../../runtime/ports/prices.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type RunningConfig, runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { drawn, type ModelledAnswer } from './modelled-providers.ts';

/** One request of a run: when it was sent, and the status and duration that its client saw. */
export interface ModelledRequest {
  readonly at: number;
  readonly tookMs: number;
  readonly status: number;
}

export interface ModelledTraffic {
  readonly requests: number;
  readonly perSecond: number;
  body(nth: number): JsonObject;
  /** The labels of a request; none if absent. */
  metadata?(nth: number): Readonly<Record<string, string>>;
}

/** Returns a provider's answer to a request, by the request's address. */
export type AnswerAt = (request: UpstreamRequest, now: number) => ModelledAnswer;

export interface ModelledRun {
  readonly config: JsonObject;
  readonly traffic: ModelledTraffic;
  readonly answerAt: AnswerAt;
  readonly prices?: Prices;
}

/** Returns the time until the next request. Requests arrive independently of each other. */
const gapMs = (perSecond: number, nth: number): number => (-Math.log(1 - drawn('gap', nth)) * 1000) / perSecond;

const delayed =
  (running: () => RunningConfig, answerAt: AnswerAt) =>
  (request: UpstreamRequest, { cancellation }: Scope): Promise<UpstreamAnswer> => {
    const { clock } = running();
    const { afterMs, answer } = answerAt(request, clock.monotonic());
    return new Promise((resolve) => {
      const stop = clock.after(afterMs, () => resolve(answer));
      cancellation.onCancel(() => {
        stop();
        resolve({ kind: 'failure', error: errorReport('connection-lost', { host: 'model', reason: 'cancelled' }) });
      });
    });
  };

/** Sends traffic through a config in virtual time, so that every run has the same result. */
export const runModel = async ({
  config,
  traffic,
  answerAt,
  prices,
}: ModelledRun): Promise<readonly ModelledRequest[]> => {
  const running: RunningConfig = runConfig(config, {
    upstream: delayed(() => running, answerAt),
    usage: true,
    ...(prices === undefined ? {} : { prices }),
  });
  const { clock, gateway, linked } = running;
  const seen: ModelledRequest[] = [];
  const send = async (nth: number): Promise<void> => {
    const at = clock.monotonic();
    const params = traffic.body(nth);
    const metadata = traffic.metadata?.(nth) ?? {};
    const facts = { metadata, params, url: { pathname: '/v1/chat/completions' } };
    const { status } = await gateway.handle(sampleExchange(params, { seed: nth, facts }), linked);
    seen.push({ at, tookMs: clock.monotonic() - at, status });
  };
  const all = new Promise<void>((resolve, reject) => {
    const answered = (nth: number): void => {
      send(nth).then(() => {
        if (seen.length === traffic.requests) resolve();
      }, reject);
      if (nth < traffic.requests) clock.after(gapMs(traffic.perSecond, nth), () => answered(nth + 1));
    };
    clock.after(0, () => answered(1));
  });
  await clock.settle(all);
  return seen;
};
