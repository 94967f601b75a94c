/** A separate module for threads that read answers beside the one that serves them. */
import type { AnswerReader } from '../../plugins/sdk/hooks/answer-reader.ts';
import { toBuffer } from '../../plugins/sdk/http/to-buffer.ts';
import { findText } from '../../schema/json/loose.ts';
import { parsedObject } from '../json-bodies/read/parsed-object.ts';
import { pricedRecord } from './priced-record.ts';
import { createPrices } from './prices/create-prices.ts';
import { createListedModels } from './prices/listed-models.ts';
import type { OwnPrices } from './prices/own-prices.ts';
import { requestBytes } from './request-bytes.ts';
import { UsageMeter } from './usage-meter.ts';

/** In the operator's prices, stands for all models that they do not name. */
const anyModel = '*';

/** @param own the operator's prices; public list prices apply to all other models */
export const createAnswerReader = (own: OwnPrices): AnswerReader => {
  const prices = createPrices(own);
  const models = createListedModels();
  const load = async (): Promise<void> => {
    await Promise.all([prices.ready(), models.ready()]);
  };
  return {
    ready: () => (prices.ready() === undefined && models.ready() === undefined ? undefined : load()),
    read(dialect, { request, answer, ...priced }) {
      const asked = parsedObject(toBuffer(request).toString());
      const askedModel = findText(asked?.model);
      const meter = new UsageMeter(dialect);
      meter.bytes(answer);
      const usage = pricedRecord(meter, {
        call: { ...priced, model: askedModel ?? '' },
        prices,
        requestBytes: () => (asked === undefined ? 0 : requestBytes(asked)),
      });
      return { askedModel, usage, finishReasons: meter.finishReasons };
    },
    listedModel({ provider, listedAs, model }) {
      const priced = Object.hasOwn(own, provider) ? own[provider] : undefined;
      if (priced !== undefined && model !== anyModel && Object.hasOwn(priced, model)) return model;
      return models.findName(listedAs, model);
    },
  };
};
