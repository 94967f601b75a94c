import { expect, it } from 'vitest';
import { fileRoutes } from '../../../../../plugins/control/work/provider-files/file-routes.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { rawClient } from '../../../../runtime/server/support/raw-client.ts';
import { controlWorld } from '../../support/control-world.ts';

/** A clock on which a second is a millisecond. */
const hurried = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * 1000,
  after: (ms: number, run: () => void) => systemClock.after(ms / 1000, run),
};

it.each([
  ['content-length: 9000000', '', ''],
  ['transfer-encoding: chunked', '80000\r\n', '\r\n'],
])('an upload whose client stalls (%s) is aborted, and leaves nothing behind', async (header, before, after) => {
  await using world = await controlWorld({ routes: fileRoutes, clock: hurried });
  const { parts, adminKey, port } = world;
  const rows = async () => [
    ...(await parts.store.db.selectFrom('files').select('id').execute()),
    ...(await parts.store.db.selectFrom('blobs').select('id').execute()),
  ];
  using client = await rawClient(port);
  const lines = [
    ...['POST /v1/files HTTP/1.1', 'host: localhost', `x-gw-api-key: ${adminKey}`, 'x-gw-provider: gw'],
    ...['content-type: multipart/form-data; boundary=b', header],
  ];
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n';
  client.send(`${lines.join('\r\n')}\r\n\r\n${before}`);
  client.send(head + 'x'.repeat(0x80000 - head.length) + after);
  expect(await client.ended).toMatch(/^HTTP\/1.1 408 .*"request-stalled"/s);
  await expect.poll(rows).toEqual([]);
});
