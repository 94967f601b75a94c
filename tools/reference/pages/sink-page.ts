import { builtinSinks } from '../../../plugins/sinks/builtin-sinks.ts';
import { code, described, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import { schemaType } from '../schema-members.ts';

/** What each sink does with records. */
const does: Readonly<Record<string, string>> = {
  webhook:
    'Posts records to an address. With a `secret`, each body is signed as Standard Webhooks specifies (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A batch that is sent again has the same id.',
  s3: 'Writes objects `PREFIX/2026/02/14/09/UUID.ndjson.gz`, whose names sort by time, to a bucket in S3 or a compatible service.',
  langfuse: 'Creates a trace and a generation for each record, with model, tokens, cost, times and level.',
  datadog:
    'Sends logs, with the record under `gatewright`. The status is `error` if the gateway or a provider failed, and `warn` if the request did. If a log exceeds 1 MB, its bodies are removed, and then its trail.',
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

/** Creates the page of the built-in log sinks and their options. */
export const sinkPage = async (): Promise<ReferencePage> =>
  toPage('sinks.md', {
    title: 'Sinks of the log',
    from: 'plugins/sinks',
    parts: [
      prose(
        'A gateway with a store can send the record of each finished request to your own receivers, which are listed under `log.sinks` in the gateway file. An item names its `sink` and has the members of [`log.sinks`](gateway-file/logs.md#logsinks) and the options of its sink, which are listed below. [A recipe](../recipes/send-the-log-elsewhere.md) sets one up.',
      ),
      ...(await Promise.all(Object.entries(builtinSinks).map(sectionOf))).flat(),
      '## What is lost',
      prose(
        'No request waits for a sink. Records that a receiver does not accept are sent again for an hour, so a receiver may get a record twice. A batch that it calls too large (413) is sent in smaller batches. Each sink has a queue of 20,000 records and 64 MiB (`s3`: 160,000 records), of which a workspace can use a quarter. `/readyz` shows counts under `store.log.sinks`, and metrics have [`gatewright_log_sink_records_total`](metrics.md#gatewright_log_sink_records_total).',
      ),
      table(
        ['count', 'records that'],
        [
          ['`dropped`', 'did not fit into the queue'],
          [
            '`refused`',
            'the receiver will never accept: it responded with 400, 406, 410, 411, 414, 415 or 422, or with 413 to a single record',
          ],
          ['`expired`', 'waited for an hour, or until the gateway had to shut down'],
        ],
      ),
      prose('`GET /v1/logs/export` also has the records that a sink lost.'),
    ],
  });
