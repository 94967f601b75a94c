import type { Alert } from '../messages/alert.ts';

/** A request to a receiver. */
export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FormContext {
  /** The value of a text of the settings, which may be a reference. Throws an `Error` where it is not set. */
  readonly read: (text: string) => string;
  /** The name of this gateway in messages. */
  readonly source: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How one kind of receiver wants to be sent messages. */
export interface Form {
  readonly kind: 'webhook' | 'slack' | 'pagerduty';
  write(alert: Alert, context: FormContext): Posted;
}
