import { headerValue } from '../../../plugins/sdk/http/http.ts';
import { CancellationSource } from '../../../runtime/async/cancellation-source.ts';
import { type CommandCalls, openCommandCalls, openEgressRules } from '../../../runtime/cli/configure/command-calls.ts';
import type { PreparedTarget } from '../../../runtime/engine/target/prepared-target.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import { createEgress } from '../../../runtime/upstream/egress.ts';
import { followTls } from '../../../runtime/upstream/upstreams.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import { targetProvider } from '../../../schema/plan/target-model.ts';
import type { OriginAnswer, OriginProbe, OwnPlans, ProbedTarget, SetUp } from './set-up.ts';
import { targetName } from './target-name.ts';

/** Returns the targets that can be called. Those without a credential are left to other checks. */
const prepareTargets = ({ targets }: OwnPlans, prepare: CommandCalls['prepare']): readonly ProbedTarget[] =>
  targets.flatMap(({ target, slots }) => {
    if (targetProvider(target) === undefined || target.credential?.kind === 'request') return [];
    try {
      const prepared = prepare(target, slots);
      return prepared.provider.inProcess === undefined
        ? [{ name: targetName(target), prepared, ...(target.tls !== undefined && { tls: target.tls }) }]
        : [];
    } catch (error) {
      if (error instanceof GatewayError) return [];
      throw error;
    }
  });

/** Connects as the gateway would, and closes the connection. */
const connect = async (
  origin: string,
  {
    tls,
    ...setUp
  }: Pick<SetUp, 'trustedHosts' | 'timeoutMs' | 'settings' | 'env' | 'secrets'> & Pick<ProbedTarget, 'tls'>,
): Promise<OriginAnswer | undefined> => {
  const { trustedHosts, timeoutMs, settings, env, secrets } = setUp;
  const { hostname, port, protocol, host } = new URL(origin);
  const egress = await openEgressRules(settings, { env, read: secrets });
  const open = createEgress({
    ...{ trustedHosts, connectMs: timeoutMs, proxy: egress?.proxy },
    tls: followTls(tls, { egress, secrets }),
  });
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return new Promise((resolve) => {
    open(
      { hostname: bare, host, protocol, port, ...(protocol === 'https:' ? { servername: bare } : {}) },
      (error, socket) => {
        socket?.destroy();
        resolve(error === null ? undefined : { kind: 'failed', error });
      },
    );
  });
};

const ask = async (target: PreparedTarget, timeoutMs: number): Promise<OriginAnswer> => {
  const cancellation = new CancellationSource();
  const stop = systemClock.after(timeoutMs, () => cancellation.cancel());
  try {
    const began = systemClock.monotonic();
    const answer = await target.upstream().send(
      {
        method: 'GET',
        origin: target.origin,
        path: target.basePath === '' ? '/' : target.basePath,
        headers: ['accept', '*/*', 'user-agent', 'gatewright'],
        body: { kind: 'none' },
      },
      { cancellation, attempt: 1 },
    );
    if (answer.kind === 'failure')
      return cancellation.cancelled ? { kind: 'silent' } : { kind: 'failed', error: answer.error };
    answer.body.discard();
    const date = Date.parse(headerValue(answer.headers, 'date') ?? '');
    // The answer was written about halfway through that time.
    const clockMs = systemClock.wall() - (systemClock.monotonic() - began) / 2 - date;
    return { kind: 'answer', status: answer.status, headers: answer.headers, clockMs };
  } finally {
    stop();
  }
};

/** Sends one request to each origin of the targets, through the egress rules of the gateway and without any credential. */
export const probeOrigins = async (plans: OwnPlans, setUp: SetUp): Promise<readonly OriginProbe[]> => {
  const { environment, settings, env, trustedHosts, timeoutMs } = setUp;
  const calls = await openCommandCalls({ plugins: environment.plugins, settings, env, trustedHosts });
  setUp.whenDone(() => calls.close());
  // One host may be called with several TLS settings.
  const alike = Map.groupBy(
    prepareTargets(plans, calls.prepare),
    ({ prepared, tls }) => `${prepared.origin} ${JSON.stringify(tls)}`,
  );
  return Promise.all(
    [...alike.values()].map(async (targets): Promise<OriginProbe> => {
      const [first] = targets;
      const { origin = '', host = '' } = first?.prepared ?? {};
      const failure = await connect(origin, { ...setUp, tls: first?.tls });
      const answer = failure ?? (first === undefined ? { kind: 'silent' } : await ask(first.prepared, timeoutMs));
      return { origin, host, targets, answer };
    }),
  );
};
