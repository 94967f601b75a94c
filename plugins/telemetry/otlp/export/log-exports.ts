import { STATUS_CODES } from '../../../sdk/http/node-http.ts';
import { watchStatus } from './watch-status.ts';

/** The outcome of one export. `code` is 0 if it succeeded. */
interface ExportOutcome {
  readonly code: number;
  readonly error?: Error | undefined;
}

interface Exporter<Batch> {
  export(batch: Batch, done: (outcome: ExportOutcome) => void): void;
}

/** Returns a URL without parts that may be secret. */
const shown = (url: string): string => {
  const parsed = URL.parse(url);
  return parsed === null ? 'the receiver' : `${parsed.origin}${parsed.pathname}`;
};

/** Node's error codes for a receiver to which no connection can be made. */
const unreachable: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT'],
]);

/** Returns advice for the operator, by the status or the text of a failed export. Empty if there is none. */
const adviceOf = (error: Error | undefined): string => {
  if (error === undefined) return '';
  if ('code' in error && (error.code === 401 || error.code === 403))
    return ' The receiver does not accept the credential: check "telemetry.otlp.headers" in the gateway file.';
  if ('code' in error && typeof error.code === 'number' && error.code >= 300 && error.code <= 399)
    return ' Redirects are not followed: set "telemetry.otlp.url" in the gateway file to the new address.';
  if (/^Parse Error: Expected HTTP/.test(error.message))
    return ' The server there does not speak HTTP: port 4317 is for gRPC, and port 4318 for HTTP. Check "telemetry.otlp.url".';
  if ('code' in error && typeof error.code === 'string' && unreachable.has(error.code))
    return ' Start the receiver, or correct "telemetry.otlp.url" in the gateway file.';
  return '';
};

/** Returns the status of the answer to a failed export. Undefined if there was no answer. */
const statusOf = (error: Error, last: number | undefined): number | undefined => {
  if ('code' in error && error.code !== undefined) return typeof error.code === 'number' ? error.code : undefined;
  return error.name === 'OTLPExporterError' ? last : undefined;
};

const answeredText = (status: number): string => {
  const phrase = STATUS_CODES[status];
  return `it answered ${status}${phrase === undefined ? '' : ` (${phrase})`}`;
};

const reasonOf = (error: Error | undefined, last: number | undefined): string => {
  const status = error && statusOf(error, last);
  const reason = status === undefined ? error?.message || 'no reason was given' : answeredText(status);
  const advice = adviceOf(error);
  return advice === '' ? reason : `${reason.replace(/\.$/, '')}.${advice}`;
};

export interface LogExportsOptions {
  readonly what: 'traces' | 'metrics';
  readonly url: string;
  readonly log: (text: string) => void;
}

/** The fate of a batch that could not be sent: the SDK drops spans, but its next sums include the previous ones. */
const outcomes = {
  traces: 'and are lost until they can be',
  metrics: 'and what they count is sent once they can be',
} as const;

/** Notifies the operator when exports start to fail, and when they succeed again, once each time. */
export const logExports = <Batch, Sends extends Exporter<Batch>>(
  exporter: Sends & Exporter<Batch>,
  { what, url, log }: LogExportsOptions,
): Sends => {
  let isFailing = false;
  const lastStatus = watchStatus(url);
  const send = exporter.export.bind(exporter);
  const note = ({ code, error }: ExportOutcome): void => {
    const fails = code !== 0;
    if (fails && !isFailing)
      log(`The ${what} could not be sent to ${shown(url)}, ${outcomes[what]}: ${reasonOf(error, lastStatus())}`);
    if (!fails && isFailing) log(`The ${what} are sent to ${shown(url)} again.`);
    isFailing = fails;
  };
  exporter.export = (batch, done) =>
    send(batch, (outcome) => {
      note(outcome);
      done(outcome);
    });
  return exporter;
};
