import { builtinSinks } from '../../../plugins/sinks/builtin-sinks.ts';
import { code, described, prose, type ReferencePage, table, toPage } from './markdown.ts';
import { schemaType } from './schema-members.ts';

/** What each sink does with records. */
const does: Readonly<Record<string, string>> = {
  webhook:
    'Posts records to an address. With a `secret`, each body is signed as Standard Webhooks says (`webhook-id`, `webhook-timestamp`, `webhook-signature`); the id of a batch is the same when it is sent again.',
  s3: 'Writes objects `PREFIX/2026/02/14/09/UUID.ndjson.gz`, whose names are in the order of their times, to a bucket of S3 or of a compatible service.',
  langfuse: 'Makes a trace and a generation of each record, with model, tokens, cost, times and level.',
  datadog:
    'Sends logs, with the record under `gatewright`. The status is `error` where the gateway or a provider failed, and `warn` where the request did. A log of more than 1 MB loses its bodies, and then its trail.',
};

const sectionOf = async ([id, load]: readonly [string, (typeof builtinSinks)[string]]): Promise<readonly string[]> => {
  const { options } = await load();
  const { properties = {}, required = [] } = options ?? {};
  return [
    `## ${code(id)}`,
    prose(described(does[id], id)),
    table(
      ['option', 'type', 'required', 'default', 'description'],
      Object.entries(properties).map(([name, schema]) => [
        code(name),
        schema.format === 'secret' ? 'reference' : schemaType(JSON.parse(JSON.stringify(schema))),
        required.includes(name) ? 'yes' : '',
        schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
        prose(described(schema.description, `${id}.${name}`)),
      ]),
    ),
  ];
};

/** The sinks of the log that come with the gateway, and their options. */
export const sinkPage = async (): Promise<ReferencePage> =>
  toPage('sinks.md', {
    title: 'Sinks of the log',
    from: 'plugins/sinks',
    parts: [
      prose(
        'A gateway with a store can send the record of each finished request to receivers of yours, which `log.sinks` of the gateway file lists. An item names its `sink`, has the members of [`log.sinks`](gateway-file/logs.md#logsinks), and the options of its sink below. [A recipe](../recipes/send-the-log-elsewhere.md) starts one.',
      ),
      ...(await Promise.all(Object.entries(builtinSinks).map(sectionOf))).flat(),
      '## What is lost',
      prose(
        'No request waits for a sink. What a receiver does not take is sent again for an hour, so that it may get a record twice. What it calls too large (413) is sent in smaller batches. Each sink has a queue of 20,000 records and 64 MiB (`s3`: 160,000 records), of which a workspace has a quarter. `/readyz` shows counts under `store.log.sinks`, and metrics have [`gatewright_log_sink_records_total`](metrics.md#gatewright_log_sink_records_total).',
      ),
      table(
        ['count', 'records that'],
        [
          ['`dropped`', 'found no room in the queue'],
          [
            '`refused`',
            'the receiver will never take: it answered 400, 406, 410, 411, 414, 415 or 422, or 413 to a record alone',
          ],
          ['`expired`', 'waited for an hour, or until the gateway had to end'],
        ],
      ),
      prose('`GET /v1/logs/export` has what a sink has not.'),
    ],
  });
