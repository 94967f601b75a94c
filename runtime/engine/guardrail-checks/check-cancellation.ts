import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Cancellation, Waits } from '../../../plugins/sdk/http/http.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';
import type { TakeMemory } from '../../upstream/held-memory.ts';

/** The request that a check judges. */
export interface JudgedRequest {
  readonly tenant: TenantId;
  /** The waits of the request. Absent if nobody waits for the check. */
  readonly waits?: Waits | undefined;
  /** Reserves memory for what the check receives. If absent, each answer is limited only individually. */
  readonly takeMemory?: TakeMemory | undefined;
}

/** The cancellation of one check: its client disconnects, or it takes too long. Listens to the client only once it is used. */
export class CheckCancellation implements Cancellation {
  /** The tenant whose request is judged. */
  readonly tenant: TenantId;
  readonly waits: Waits | undefined;
  readonly takeMemory: TakeMemory | undefined;
  readonly #client: Cancellation | undefined;
  #source: CancellationSource | undefined;
  #stopListening: (() => void) | undefined;
  #isOver = false;
  #isCancelled = false;

  /** Without a client, nobody waits for the check. */
  constructor(client: Cancellation | undefined, { tenant, waits, takeMemory }: JudgedRequest) {
    this.#client = client;
    this.tenant = tenant;
    this.waits = waits;
    this.takeMemory = takeMemory;
  }

  get cancelled(): boolean {
    return this.#begun().cancelled;
  }

  onCancel(listener: () => void): () => void {
    return this.#begun().onCancel(listener);
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#source?.cancel();
  }

  /** Called when the check has answered, or is no longer waited for. */
  end(): void {
    this.#isOver = true;
    this.#stopListening?.();
  }

  #begun(): CancellationSource {
    if (this.#source !== undefined) return this.#source;
    const source = new CancellationSource();
    this.#source = source;
    if (this.#isCancelled) source.cancel();
    else if (!this.#isOver) this.#stopListening = this.#client?.onCancel(() => source.cancel());
    return source;
  }
}
