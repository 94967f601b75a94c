import type { JsonObject } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Sent } from '../../../sdk/delivery/delivery.ts';
import { withoutSecrets } from '../../../sdk/provider/without-secrets.ts';
import type { LogSink, OpenSink, SinkBatch, SinkRecord, SinkServices } from '../../../sdk/sink/sink.ts';

/** The options of a sink with their references resolved. */
export interface ResolvedOptions {
  readonly options: JsonObject;
  /** The values of its references, by their pointers. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface FollowedSinkOptions {
  readonly sink: LogSink;
  readonly services: SinkServices;
  /** Resolves the references again. Throws an `Error` if one is not set. */
  readonly resolve: () => ResolvedOptions;
}

/** Creates a sink. Throws its error, or one for something else than a sink, such as a plugin that is not type-checked returns. */
const createSink = ({ sink, services }: FollowedSinkOptions, options: JsonObject): OpenSink => {
  const open: OpenSink = sink.create(options, services);
  if (typeof (open as OpenSink | undefined)?.send === 'function') return open;
  throw new TypeError('"create" must return a sink with the function "send", and must not be async.');
};

const kinds: readonly unknown[] = ['delivered', 'refused', 'again'];

/** An open sink that follows its secrets: if one has changed, the sink is reopened with the new value before the next batch. */
export class FollowedSink implements OpenSink {
  readonly #options: FollowedSinkOptions;
  #resolved: ResolvedOptions;
  #open: OpenSink;

  /** Throws the sink's error, without its secrets. */
  constructor(options: FollowedSinkOptions) {
    this.#options = options;
    this.#resolved = options.resolve();
    try {
      this.#open = createSink(options, this.#resolved.options);
    } catch (error) {
      throw new Error(this.#masked(errorText(error)));
    }
  }

  /** Resolves to the sink's result for a batch, in a valid form. Never rejects. */
  async send(records: readonly SinkRecord[], batch: SinkBatch): Promise<Sent> {
    this.#follow();
    try {
      return this.#checked(await this.#open.send(records, batch));
    } catch (error) {
      return { kind: 'again', reason: this.#masked(errorText(error)) };
    }
  }

  async close(): Promise<void> {
    await this.#open.close?.();
  }

  #follow(): void {
    try {
      const resolved = this.#options.resolve();
      if (JSON.stringify(resolved.options) === JSON.stringify(this.#resolved.options)) return;
      const open = createSink(this.#options, resolved.options);
      const before = this.#open;
      this.#resolved = resolved;
      this.#open = open;
      void (async () => before.close?.())().catch(() => {});
    } catch {
      // A file that is being replaced is missing for a moment. Until then the known value is used.
    }
  }

  #masked(reason: string): string {
    return withoutSecrets(reason, this.#resolved.secrets);
  }

  /** Checks the result of a sink, which a plugin may have got wrong. */
  #checked(sent: Sent | undefined): Sent {
    if (!kinds.includes(sent?.kind))
      return { kind: 'again', reason: 'The sink did not report the outcome for the records.' };
    if (sent?.kind === 'delivered')
      return sent.refused === undefined
        ? { kind: 'delivered' }
        : {
            kind: 'delivered',
            refused: { count: Number(sent.refused.count) || 0, reason: this.#masked(String(sent.refused.reason)) },
          };
    return { ...(sent as Exclude<Sent, { kind: 'delivered' }>), reason: this.#masked(String(sent?.reason)) };
  }
}
