import { Delivery, type DeliveryBounds, type DeliveryCounts, type Sent } from '../sdk/delivery/delivery.ts';
import { toSent } from '../sdk/delivery/to-sent.ts';
import type { Cancellation } from '../sdk/http/http.ts';
import type { Form } from './forms/form.ts';
import { toForm } from './forms/to-form.ts';
import { type Alert, isWanted, type Occurrence, type ReceiverSettings } from './messages/alert.ts';
import { AlertBook } from './messages/alert-book.ts';
import { type AlertServices, postAlert, sendMs } from './post-alert.ts';

/** There is at most one message for each key, so all of them have room. */
const maxKeys = 1000;

const bounds: DeliveryBounds = {
  ...{ items: maxKeys, bytes: 8 * 1024 * 1024, batchItems: 1, batchBytes: 64 * 1024 },
  ...{ gatherMs: 0, sendMs, maxAgeMs: 24 * 60 * 60 * 1000 },
};

export interface AlertReceiverOptions extends AlertServices {
  readonly settings: ReceiverSettings;
  /** Its position in the gateway file, starting at 1. */
  readonly number: number;
  readonly everyMs: number;
  readonly random: () => number;
  readonly newId: () => string;
  /** Reports why messages are not delivered, and when they are again. */
  readonly say: (text: string) => void;
}

/** The status of a receiver. Counts are messages since the start. */
export interface AlertReceiverStatus extends DeliveryCounts {
  readonly to: Form['kind'];
  /** Why the last attempt failed. Absent if it did not. */
  readonly failing?: string;
}

/** A receiver, and the messages that wait for it. */
export class AlertReceiver {
  readonly #options: AlertReceiverOptions;
  readonly #form: Form;
  readonly #book: AlertBook;
  readonly #delivery: Delivery<Alert>;
  #failing: string | undefined;

  constructor(options: AlertReceiverOptions) {
    const { settings, number, clock, random, newId, everyMs, say } = options;
    this.#options = options;
    this.#form = toForm(settings);
    this.#book = new AlertBook({
      ...{ clock, everyMs, newId, maxKeys, lostMs: bounds.maxAgeMs + 2 * sendMs },
      send: (alert) =>
        this.#delivery.add(alert, { tenant: alert.tenant, bytes: Buffer.byteLength(JSON.stringify(alert)) }),
    });
    this.#delivery = new Delivery({
      ...{ bounds, clock, random },
      send: async ([alert], cancellation) =>
        alert === undefined ? { kind: 'delivered' } : this.#send(alert, cancellation),
      say: ({ failing }) => {
        this.#failing = failing;
        say(
          failing === undefined
            ? `Alerts are delivered to receiver ${number} (${this.#form.kind}) again.`
            : `Alerts are not delivered to receiver ${number} (${this.#form.kind}): ${failing}`,
        );
      },
    });
  }

  /** Notes an occurrence. `slug` is that of its workspace, or empty. */
  note(occurrence: Occurrence, slug: string): void {
    if (isWanted(occurrence, this.#options.settings, slug)) this.#book.note(occurrence);
  }

  look(): void {
    this.#book.look();
  }

  status(): AlertReceiverStatus {
    // If the queue has no room, nothing is lost, because the message stays in the book.
    const counts = { ...this.#delivery.counts(), dropped: this.#book.dropped };
    return { to: this.#form.kind, ...counts, ...(this.#failing === undefined ? {} : { failing: this.#failing }) };
  }

  /** Sends waiting messages for at most `graceMs`. */
  close(graceMs: number): Promise<void> {
    this.#book.flush();
    return this.#delivery.close(graceMs);
  }

  async #send(alert: Alert, cancellation: Cancellation): Promise<Sent> {
    const answer = await postAlert(this.#form, alert, { ...this.#options, cancellation });
    const sent = toSent(answer, { now: this.#options.clock.wall() });
    if (sent.kind !== 'again') this.#book.ended(alert);
    return sent;
  }
}
