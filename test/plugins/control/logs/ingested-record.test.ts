import { expect, it } from 'vitest';
import { ingestedRecord } from '../../../../plugins/control/logs/records/ingested-record.ts';
import { defaultLogSettings } from '../../../../plugins/control/logs/settings/log-settings.ts';

const by = {
  ...{ id: '01a1fcb4-d926-73c3-b749-2d95020dfb55', organisation: 'o', workspace: 'w', key: undefined, trace: 't' },
  settings: defaultLogSettings,
};

it.each([
  ['https://user:secret@vendor.example/v1/chat?key=secret#secret', 'https://vendor.example/v1/chat', '/v1/chat'],
  ['/v1/chat?key=secret', '/v1/chat', '/v1/chat'],
  ['data:text/plain,secret', '', '/'],
  ['mailto:secret', '', '/'],
  ['http://[', '', '/'],
])('stores only those parts of the URL %s that cannot be a secret', (url, shown, path) => {
  const { record, detail } = ingestedRecord({ request: { url, body: {} }, response: { body: {} } }, by);
  expect([record.path, JSON.parse(detail.detail).url]).toEqual([path, shown]);
});
