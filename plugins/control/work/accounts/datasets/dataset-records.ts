import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, toObjects } from '../../../../../schema/json/loose.ts';
import { AvroFault } from '../../avro/avro-bytes.ts';
import { avroRecords } from '../../avro/avro-records.ts';
import type { Account } from '../account.ts';
import { answerChunks } from '../answers/answer-chunks.ts';
import { accepted } from '../ask.ts';
import { signedAddress } from '../signed-address.ts';
import { isReady, readDataset } from './dataset.ts';

/**
 * The records of a dataset of Cohere, whose parts are files of Avro at signed addresses. Throws the `GatewayError`
 * `unreadable-answer` for a part that is not right or not whole, and a `ProviderRefusal` for one that is not there any more.
 * https://docs.cohere.com/reference/get-dataset
 */
export async function* datasetRecords(account: Account, id: string): AsyncGenerator<JsonObject> {
  const unreadable = (reason: string) => gatewayError('unreadable-answer', { provider: account.provider, reason });
  const dataset = await readDataset(account, id);
  if (!isReady(dataset)) throw unreadable(`its dataset ${id} is not validated.`);
  const parts = toObjects(dataset.dataset_parts);
  const inOrder = parts.toSorted((one, other) => (findNumber(one.index) ?? 0) - (findNumber(other.index) ?? 0));
  for (const { url, num_rows: rows } of inOrder) {
    const address = signedAddress(account, url, `a part of its dataset ${id}`);
    const { body } = await accepted(account, { method: 'GET', ...address });
    let read = 0;
    try {
      for await (const record of avroRecords(answerChunks(body))) {
        read += 1;
        yield record;
      }
    } catch (error) {
      if (error instanceof AvroFault) throw unreadable(`a part of its dataset ${id} cannot be read: ${error.message}.`);
      throw error;
    }
    const stated = findNumber(rows);
    if (stated !== undefined && stated !== read)
      throw unreadable(`a part of its dataset ${id} has ${read} of ${stated} rows.`);
  }
}
