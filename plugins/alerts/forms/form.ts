import type { Alert } from '../messages/alert.ts';

/** A request to a receiver. */
export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FormContext {
  /** Returns the value of a text in the settings, which may be a reference. Throws an `Error` if it is not set. */
  readonly read: (text: string) => string;
  /** The name of this gateway in messages. */
  readonly source: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How one kind of receiver expects messages. */
export interface Form {
  readonly kind: 'webhook' | 'slack' | 'pagerduty';
  write(alert: Alert, context: FormContext): Posted;
}
