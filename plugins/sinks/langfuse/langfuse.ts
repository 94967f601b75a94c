import { isJsonObject, writtenText } from '../../../schema/json/json.ts';
import { findNumber } from '../../../schema/json/loose.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import type { Sent } from '../../sdk/delivery/delivery.ts';
import { toSent } from '../../sdk/delivery/to-sent.ts';
import { defineLogSink, type LogSink, type SinkAnswer } from '../../sdk/sink/sink.ts';
import { urlPattern } from '../shared/url-option.ts';
import { toEvents } from './to-events.ts';

/**
 * Whether the status of a single event is temporary, so that the event may be accepted later. An unreadable status counts as
 * temporary.
 */
const isPassing = (status: number): boolean => !(status < 500) || status === 429 || status === 408;

const unreadable: Sent = { kind: 'again', reason: 'Its answer cannot be read.' };

/** Reads the outcome of each event. The status is 207 even if all events, or none, were accepted. */
const readAnswer = ({ text, isWhole }: SinkAnswer): Sent => {
  const answer = isWhole ? parseObject(text) : undefined;
  if (answer === undefined) return unreadable;
  const { successes, errors = successes === undefined ? null : [] } = answer;
  if (!Array.isArray(errors) || !errors.every(isJsonObject)) return unreadable;
  if (errors.length === 0) return { kind: 'delivered' };
  const statuses = [...new Set(errors.map(({ status }) => findNumber(status) ?? Number.NaN))].sort((a, b) => a - b);
  const known = statuses.filter((status) => !Number.isNaN(status));
  const reason = `It refused events${known.length === 0 ? '' : ` with ${known.join(' and ')}`}.`;
  if (statuses.some(isPassing)) return { kind: 'again', reason };
  const records = new Set(errors.map(({ id }) => writtenText(id ?? null).replace(/-(?:trace|generation)$/, '')));
  return { kind: 'delivered', refused: { count: records.size, reason } };
};

/** Sends records to Langfuse's ingestion API, as traces and generations. */
export const langfuse: LogSink = defineLogSink({
  id: 'langfuse',
  options: {
    type: 'object',
    required: ['public_key', 'secret_key'],
    properties: {
      url: {
        type: 'string',
        pattern: urlPattern,
        default: 'https://cloud.langfuse.com',
        description: 'The URL of Langfuse, such as https://us.cloud.langfuse.com or that of your own server.',
      },
      public_key: { type: 'string', format: 'secret', minLength: 1, description: 'The public key of the project.' },
      secret_key: { type: 'string', format: 'secret', minLength: 1, description: 'The secret key of the project.' },
      environment: {
        type: 'string',
        pattern: '^(?!langfuse)[a-z0-9_-]{1,40}$',
        description: 'The environment of all traces.',
      },
      release: { type: 'string', minLength: 1, maxLength: 200, description: 'The release of all traces.' },
      user_label: { type: 'string', minLength: 1, default: '_user', description: 'The label that contains the user.' },
      session_label: {
        type: 'string',
        minLength: 1,
        default: 'session_id',
        description: 'The label that contains the session.',
      },
      tag_labels: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        maxItems: 32,
        description: 'Labels that become tags, such as "team".',
      },
    },
  },
  // A batch may have 3.5 MB, and short texts are in it twice.
  batch: { batchItems: 200, batchBytes: 1_000_000 },
  create(options, { http, timers }) {
    const { url, public_key, secret_key, environment, release, user_label, session_label, tag_labels = [] } = options;
    const endpoint = `${url.replace(/\/+$/, '')}/api/public/ingestion`;
    const authorization = `Basic ${Buffer.from(`${public_key}:${secret_key}`).toString('base64')}`;
    const events = {
      ...{ environment, release, userLabel: user_label },
      ...{ sessionLabel: session_label, tagLabels: tag_labels },
    };
    return {
      async send(records, { cancellation }) {
        const batch = records.flatMap((record) => toEvents(record, events));
        const body = JSON.stringify({ batch });
        const answer = await http.send({
          ...{ url: endpoint, body, cancellation, maxBytes: 4 * 1024 * 1024 },
          headers: { 'content-type': 'application/json', authorization },
        });
        const sent = toSent(answer, { now: timers.wall() });
        return sent.kind === 'delivered' ? readAnswer(answer) : sent;
      },
    };
  },
});
