import { expect, it } from 'vitest';
import { ApplyApi } from '../../../../plugins/control/cli/apply/store/api.ts';
import { StoreReader } from '../../../../plugins/control/cli/store-reader.ts';
import { startApi } from './support/api-server.ts';

/** Starts a list of records, the newest first, to which each request adds one. */
const startGrowingList = async (count: number) => {
  const ids = Array.from({ length: count }, (_, at) => `${count - at}`);
  const before = [...ids];
  const answer = (line: string) => {
    const query = new URL(line.split(' ')[1] ?? '', 'http://h').searchParams;
    const start = query.has('after')
      ? ids.indexOf(query.get('after') ?? '') + 1
      : Number(query.get('current_page') ?? 0) * Number(query.get('page_size'));
    const data = ids.slice(start, start + Number(query.get('page_size'))).map((id) => ({ id }));
    ids.unshift(`new-${ids.length}`);
    return { json: { object: 'list', total: ids.length, data } };
  };
  const { url } = await startApi(answer);
  return { before, access: { base: `${url}/v1`, key: 'gw-test', workspace: undefined } };
};

it('gw apply reads each record of a list once while others are created', async () => {
  const { before, access } = await startGrowingList(2500);
  const api = await ApplyApi.find(access);
  expect((await api.list('/configs', null)).map(({ id }) => id)).toEqual(before);
});

it('gw check and gw doctor read each record of a list once while others are created', async () => {
  const { before, access } = await startGrowingList(2500);
  const list = await new StoreReader(access).list('/configs');
  expect(list.kind === 'read' && list.items.map(({ id }) => id)).toEqual(before);
});
