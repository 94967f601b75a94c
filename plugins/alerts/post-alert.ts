import { errorText } from '../../schema/text/error-text.ts';
import type { Clock } from '../sdk/clock.ts';
import type { Cancellation } from '../sdk/http/http.ts';
import type { SinkAnswer, SinkHttp } from '../sdk/sink/sink.ts';
import type { Form } from './forms/form.ts';
import type { Alert } from './messages/alert.ts';

/** The services that a gateway needs to reach its receivers. */
export interface AlertServices {
  readonly http: SinkHttp;
  readonly clock: Clock;
  /** Returns the value of a text in the settings, which may be a reference. Undefined if it is not set. */
  readonly read: (text: string) => string | undefined;
  /** The name of this gateway in messages. */
  readonly source: string;
}

/** How long a receiver may take to answer, in milliseconds. */
export const sendMs = 10_000;

/** Shorter values are not secrets, and may occur in any text. */
const shortestSecret = 6;

/**
 * Posts a message and returns the answer, whatever its status. Rejects with an `Error` that explains why there is none and
 * contains no value of a setting.
 */
export const postAlert = async (
  form: Form,
  alert: Alert,
  { http, clock, read, source, cancellation }: AlertServices & { readonly cancellation: Cancellation },
): Promise<SinkAnswer> => {
  const values: string[] = [];
  const readValue = (text: string): string => {
    const value = read(text);
    if (value === undefined) throw new Error(`${text} is not set.`);
    if (value.length >= shortestSecret) values.push(value);
    return value;
  };
  try {
    const posted = form.write(alert, { read: readValue, source, now: clock.wall() });
    return await http.send({ ...posted, timeoutMs: sendMs, cancellation });
  } catch (error) {
    throw new Error(values.reduce((text, value) => text.replaceAll(value, '…'), errorText(error)));
  }
};
