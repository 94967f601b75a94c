/** The name of a result whose call is not in the conversation. The format requires a name. */
export const unknownFunction = 'unknown_function';

interface OpenCall {
  readonly id: string;
  isAnswered: boolean;
}

/** Calls with the same id, or with the same name, in order. */
class CallQueue {
  readonly #calls: OpenCall[] = [];
  #next = 0;

  add(call: OpenCall): void {
    this.#calls.push(call);
  }

  /** Returns the first call without a result, and marks it as having one. */
  take(): OpenCall | undefined {
    while (this.#calls[this.#next]?.isAnswered === true) this.#next += 1;
    const call = this.#calls[this.#next];
    if (call !== undefined) call.isAnswered = true;
    return call;
  }
}

const toQueue = (queues: Map<string, CallQueue>, key: string): CallQueue => {
  const queue = queues.get(key) ?? new CallQueue();
  queues.set(key, queue);
  return queue;
};

/**
 * Calls and their results, in the order in which they are read. Ids are optional in this format: a result without one belongs to
 * the first call of its name that has no result yet.
 */
export class CallIds {
  readonly #byId = new Map<string, CallQueue>();
  readonly #byName = new Map<string, CallQueue>();
  readonly #names = new Map<string, string>();
  #made = 0;

  call(id: string | undefined, name: string): string {
    const known = id ?? this.#make();
    const call = { id: known, isAnswered: false };
    toQueue(this.#byId, known).add(call);
    toQueue(this.#byName, name).add(call);
    this.#names.set(known, name);
    return known;
  }

  result(id: string | undefined, name: string): string {
    const queue = id === undefined ? this.#byName.get(name) : this.#byId.get(id);
    return queue?.take()?.id ?? id ?? this.#make();
  }

  /** Returns the name of the latest call with this id. */
  findName(id: string): string | undefined {
    return this.#names.get(id);
  }

  #make(): string {
    const id = `gw-call-${this.#made}`;
    this.#made += 1;
    return id;
  }
}
