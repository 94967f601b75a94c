import { append } from '../json/append.ts';

/**
 * Orders the messages of a conversation as services require: all results of a round come directly after its calls, and what is
 * said between the calls and their results follows them.
 */
export class RoundOrder<Message, After extends Message = Message> {
  readonly #ordered: Message[];
  /** The messages since the last calls that are not results. */
  #waiting: Message[] = [];
  #after: After | undefined;
  #hasCalls = false;

  constructor(first: readonly Message[]) {
    this.#ordered = [...first];
  }

  /** The last message that has its place. undefined if none has. */
  get last(): Message | undefined {
    return this.#ordered.at(-1);
  }

  /** Whether messages wait for the end of a round's results. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Adds a message of the model, which ends the round before it. */
  addModel(message: Message, { hasCalls }: { readonly hasCalls: boolean }): void {
    this.end().push(message);
    this.#hasCalls = hasCalls;
  }

  /** Reports that the model's last message has calls. */
  awaitResults(): void {
    this.#hasCalls = true;
  }

  addResult(message: Message): void {
    this.#ordered.push(message);
  }

  /** Returns the message that follows the results of the round, before everything else that waits for their end. Creates it once. */
  afterResults(create: () => After): After {
    if (this.#after === undefined) {
      this.#after = create();
      this.#waiting.unshift(this.#after);
    }
    return this.#after;
  }

  addSaid(message: Message): void {
    (this.#hasCalls ? this.#waiting : this.end()).push(message);
  }

  /** Ends the round. Returns all messages in their order. */
  end(): Message[] {
    append(this.#ordered, this.#waiting);
    this.#waiting = [];
    this.#after = undefined;
    return this.#ordered;
  }
}
