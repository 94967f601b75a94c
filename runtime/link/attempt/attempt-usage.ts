import { isSuccess } from '../../../schema/status.ts';
import type { UsageRecord } from '../../../schema/usage-record.ts';
import { requestBytes } from '../../usage/request-bytes.ts';
import { UsageMeter } from '../../usage/usage-meter.ts';
import type { LinkPorts } from '../context.ts';
import type { LeafCall } from '../leaf-call.ts';

const bytesOf = ({ exchange }: LeafCall): number => {
  try {
    return requestBytes(exchange.json());
  } catch {
    // A body that is not JSON has no text that could be counted.
    return 0;
  }
};

const meterOf = ({ outgoing }: LeafCall): UsageMeter => {
  const translation = outgoing?.translation;
  return new UsageMeter(translation?.kind === 'translate' ? translation.upstream : translation?.dialect);
};

/** What one attempt used and cost. Exists only where something consumes it. */
export class AttemptUsage {
  readonly meter: UsageMeter;
  readonly #call: LeafCall;
  readonly #ports: Pick<LinkPorts, 'clock' | 'prices'>;
  readonly #ready: Promise<void> | undefined;
  #record: UsageRecord | undefined;

  constructor(call: LeafCall, ports: Pick<LinkPorts, 'clock' | 'prices'>) {
    this.#call = call;
    this.#ports = ports;
    this.meter = meterOf(call);
    // Loaded while the provider answers. Without prices, the usage is told alone.
    this.#ready = ports.prices?.ready()?.catch(() => {});
  }

  /** Whether the caller is told, in the answer. */
  get isAsked(): boolean {
    return this.#call.exchange.overrides.usage === true;
  }

  /** The provider answers with this status. Settles when the answer can be read and priced. */
  async begin(status: number): Promise<void> {
    if (isSuccess(status) && this.#call.outgoing?.translation !== undefined) this.meter.begin();
    await this.#ready;
  }

  /** The first call decides: the answer and all that consume its usage are told the same. */
  record(): UsageRecord {
    this.#record ??= this.#priced();
    return this.#record;
  }

  #priced(): UsageRecord {
    const call = this.#call;
    const { clock, prices } = this.#ports;
    const { id: provider, listedAs = provider } = call.target.provider;
    const model = call.outgoing?.model ?? '';
    const record = this.meter.record({ model, requestBytes: () => bytesOf(call) });
    if (record.kind === 'none') return record;
    const cost = prices?.cost(record, { provider, listedAs, model, saved: call.target.prices, at: clock.wall() });
    return cost === undefined ? record : { ...record, cost };
  }
}
