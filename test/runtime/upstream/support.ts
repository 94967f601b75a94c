import type { UpstreamAnswer } from '../../../plugins/sdk/http/http.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import type { UpstreamOptions } from '../../../runtime/ports/upstreams.ts';
import { createOutboundProxy } from '../../../runtime/upstream/outbound-proxy.ts';
import { createUpstreams, type Upstreams, type UpstreamsOptions } from '../../../runtime/upstream/upstreams.ts';
import { get, toScope } from '../streams/kit.ts';
import { closeAfterTest } from './kit.ts';

export interface ByProxyOptions extends Partial<UpstreamsOptions> {
  readonly env?: Readonly<Record<string, string>>;
  readonly extraCa?: () => string;
}

/** Opens upstreams that connect through a proxy, until the end of the test. */
export const openByProxy = (setting: string, { env = {}, extraCa, ...options }: ByProxyOptions = {}): Upstreams => {
  const proxy = createOutboundProxy({
    setting,
    place: 'the gateway file',
    env,
    read: (text) => text,
    extraCa,
    clock: systemClock,
  });
  const upstreams = createUpstreams({
    ...{ trustedHosts: [], connectMs: 2_000, egress: { proxy, ...(extraCa === undefined ? {} : { extraCa }) } },
    ...options,
  });
  closeAfterTest(upstreams);
  return upstreams;
};

/** Sends a request and reads its answer: the status and the text, or the code and the message of the error. */
export const ask = async (
  upstreams: Upstreams,
  origin: string,
  { operatorHost = true, ...options }: Partial<UpstreamOptions> = {},
): Promise<string> => {
  const answer: UpstreamAnswer = await upstreams
    .open(origin, { operatorHost, ...options })
    .send(get(origin), toScope());
  if (answer.kind === 'failure') return `${answer.error.code}: ${answer.error.message}`;
  const body = await answer.body.collect(100_000);
  return `${answer.status} ${body instanceof Uint8Array ? Buffer.from(body).toString() : body.error.code}`;
};
