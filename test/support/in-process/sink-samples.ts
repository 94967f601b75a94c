import type { SinkAnswer } from '../../../plugins/sdk/sink/sink.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A secret with which a webhook is signed. */
const sinkSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

/** Options of a sink, and the answer of its receiver if it differs from 200 without a body. */
export interface SinkSample {
  readonly options: JsonObject;
  readonly answer?: () => Partial<SinkAnswer>;
}

/** A sample for each built-in sink, by its id. */
export const sinkSamples: Readonly<Record<string, SinkSample>> = {
  datadog: { options: { api_key: 'k' }, answer: () => ({ status: 202, text: '{}' }) },
  langfuse: {
    options: { public_key: 'pk', secret_key: 'sk' },
    answer: () => ({ status: 207, text: '{"successes":[],"errors":[]}' }),
  },
  s3: { options: { url: 's3://bucket/logs', access_key_id: 'a', secret_access_key: 'b' } },
  webhook: { options: { url: 'https://example.com/hook', secret: sinkSecret } },
};

/** The defaults in the schemas of the sinks. */
export const sinkDefaults: Readonly<Record<string, JsonObject>> = {
  datadog: { site: 'datadoghq.com', source: 's', service: 's', gzip: true },
  langfuse: { url: 'https://cloud.langfuse.com', user_label: '_user', session_label: 'session_id' },
  s3: { region: 'eu-west-1', gzip: true },
  webhook: { format: 'json', gzip: false },
};
