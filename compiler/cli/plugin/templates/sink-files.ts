import type { KindFiles, NewPlugin } from './plugin-kind.ts';

/** A sink that posts records to a service as lines of JSON. */
export const sinkFiles = ({ id }: NewPlugin): KindFiles => ({
  source: `import { defineLogSink, type LogSink } from 'gatewright/sdk';

/** The statuses with which a receiver rejects records for good. */
const refusals = [400, 413, 422];

/** Posts records to a service as lines of JSON. The gateway retries after "again", and limits how many records may wait. */
export const sink: LogSink = defineLogSink({
  id: '${id}.lines',
  options: {
    type: 'object',
    required: ['url', 'token'],
    properties: {
      url: { type: 'string', format: 'uri', description: 'The URL to which records are posted.' },
      token: { type: 'string', format: 'secret', minLength: 1 },
    },
  },
  batch: { batchItems: 500 },
  create: ({ url, token }, { http }) => ({
    async send(records, { id, cancellation }) {
      const { status } = await http.send({
        url,
        headers: { 'content-type': 'application/x-ndjson', authorization: \`Bearer \${token}\`, 'idempotency-key': id },
        body: records.map(({ json }) => \`\${json}\\n\`).join(''),
        cancellation,
      });
      if (status < 300) return { kind: 'delivered' };
      return { kind: refusals.includes(status) ? 'refused' : 'again', reason: \`It answered \${status}.\` };
    },
  }),
});
`,
  test: `import { test } from 'node:test';
import { testLogSink } from 'gatewright/testing';
import { sink } from './sink.js';

test('the sink keeps the contract of sinks', () =>
  testLogSink(sink, { options: { url: 'https://logs.example.com', token: 'a-token' } }));
`,
  index: 'sinks: [sink]',
  hosts: ['logs.example.com'],
  use: {
    text: 'The gateway file says where records go:',
    json: { log: { sinks: [{ sink: `${id}.lines`, url: 'https://logs.example.com', token: `\${env:LOGS_TOKEN}` }] } },
  },
});
