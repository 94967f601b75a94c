import { findText } from '../../../../schema/json/loose.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import { headerError } from '../../kernel/requests/refusals.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { Account } from '../accounts/account.ts';
import { accountHeaders } from '../accounts/account-headers.ts';
import { isoSeconds } from '../accounts/answers/read-values.ts';
import { findDataset, readDataset, removeDataset, uploadDataset } from '../accounts/datasets/fireworks-datasets.ts';
import { asContent, CountedBytes, type ProviderFileStore, rangeHeaders } from './provider-file-store.ts';

const sizeHeader = accountHeaders.uploadSize;
const purpose = 'fine-tune';

const refused = (message: string) =>
  headerError(sizeHeader, message, 'Send the number of bytes of the file, or leave the header out.');

/** Reads the number of bytes that the client announces. */
const measureSize = ({ headers }: Account): number | undefined => {
  const said = headerValue(headers, sizeHeader)?.trim();
  if (said === undefined) return undefined;
  if (!/^\d{1,15}$/.test(said)) throw refused(`The header ${sizeHeader} is not a number of bytes.`);
  return Number(said);
};

/** Files at Fireworks, which are data sets: https://docs.fireworks.ai/api-reference/create-dataset */
export const fireworksFiles: ProviderFileStore = {
  purposes: [purpose],
  lacks: {},
  findId: (text) => (/^[\w-]{1,255}$/.test(text) ? text : undefined),
  async upload({ filename, length, bytes }, { account, now }) {
    const size = length ?? measureSize(account);
    const counted = new CountedBytes(bytes);
    const sized = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of counted) {
        if (size !== undefined && counted.count > size) throw refused(`The file has more than ${size} bytes.`);
        yield piece;
      }
      if (size !== undefined && counted.count < size)
        throw refused(`The file has ${counted.count} bytes, and not ${size}.`);
    };
    const id = await uploadDataset({ filename, bytes: size, read: sized }, account);
    return { id, bytes: counted.count, createdAt: toSeconds(now()), filename, purpose };
  },
  async find(id, account) {
    const { displayName, createTime, state } = await findDataset(id, account);
    return {
      ...{ id, bytes: 0, createdAt: isoSeconds(createTime) ?? 0, filename: findText(displayName) ?? id, purpose },
      status: state === 'READY' ? 'processed' : 'uploaded',
    };
  },
  content: async (id, account) => asContent(await readDataset(id, account, rangeHeaders(account))),
  remove: removeDataset,
};
