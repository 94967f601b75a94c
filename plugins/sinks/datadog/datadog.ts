import { hostname as ownHostname } from 'node:os';
import { toSent } from '../../sdk/delivery/to-sent.ts';
import { defineLogSink, type LogSink } from '../../sdk/sink/sink.ts';
import { encodedBody } from '../shared/encoded-body.ts';
import { urlPattern } from '../shared/url-option.ts';
import { toLog } from './to-log.ts';

/** Sends records to Datadog's log intake. */
export const datadog: LogSink = defineLogSink({
  id: 'datadog',
  options: {
    type: 'object',
    required: ['api_key'],
    properties: {
      api_key: { type: 'string', format: 'secret', minLength: 1, description: 'The API key of the account.' },
      site: {
        type: 'string',
        pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
        default: 'datadoghq.com',
        description: 'The site of the account, such as datadoghq.eu or us3.datadoghq.com.',
      },
      url: {
        type: 'string',
        pattern: urlPattern,
        description: 'The URL of a proxy to use instead of the intake of the site.',
      },
      source: { type: 'string', minLength: 1, default: 'gatewright', description: 'The source of all logs.' },
      service: { type: 'string', minLength: 1, default: 'gatewright', description: 'The service of all logs.' },
      hostname: {
        type: 'string',
        minLength: 1,
        description: 'The host name of the logs; the name of the machine if absent.',
      },
      tags: {
        type: 'array',
        items: { type: 'string', pattern: '^[^,\\s]{1,200}$' },
        maxItems: 100,
        description: 'Tags of all logs, such as "env:prod".',
      },
      gzip: { type: 'boolean', default: true, description: 'Whether bodies are compressed.' },
    },
  },
  // A body may have 1,000 logs and 5 MB, part of which is what each log adds to its record.
  batch: { batchItems: 1000, batchBytes: 4_000_000 },
  create({ api_key, site, url, source, service, hostname = ownHostname(), tags = [], gzip }, { http, timers }) {
    const intake = (url ?? `https://http-intake.logs.${site}`).replace(/\/+$/, '');
    const log = { source, service, hostname, tags };
    return {
      async send(records, { cancellation }) {
        const text = `[${records.map((record) => toLog(record, log)).join(',')}]`;
        const { body, headers } = await encodedBody(text, gzip);
        const answer = await http.send({
          ...{ url: `${intake}/api/v2/logs`, body, cancellation },
          headers: { 'content-type': 'application/json', 'dd-api-key': api_key, ...headers },
        });
        return toSent(answer, { now: timers.wall() });
      },
    };
  },
});
