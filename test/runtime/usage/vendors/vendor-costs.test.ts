import { expect, it } from 'vitest';
import { createPrices } from '../../../../runtime/usage/prices/create-prices.ts';
import { UsageMeter } from '../../../../runtime/usage/usage-meter.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { anthropicPayloads } from './anthropic.ts';
import { clouds } from './clouds.ts';
import { cohere } from './cohere.ts';
import { openai } from './openai.ts';
import { openaiForm } from './openai-form.ts';
import { toDialect, toNano, type VendorPayload } from './vendor-payload.ts';

const payloads: readonly VendorPayload[] = [...openai, ...openaiForm, ...anthropicPayloads, ...cohere, ...clouds];

/** Returns the bytes of an answer that is so long that not all of its values are built. */
const long = (wire: object): Buffer => Buffer.from(JSON.stringify({ padding: ' '.repeat(64 * 1024), ...wire }));

/** Returns the cost of a payload as the gateway calculates it. */
const toCost = (payload: VendorPayload, isLong = false): object => {
  const { wire, price, listedAs = 'anyone', model = 'm' } = payload;
  const meter = new UsageMeter(toDialect(payload));
  meter.begin();
  if (Array.isArray(wire)) for (const frame of wire) meter.frame({ data: JSON.stringify(frame) });
  else if (isLong) meter.bytes(long(wire));
  else meter.body(parseObject(JSON.stringify(wire)));
  meter.end();
  const record = meter.record({ model, requestBytes: () => 0 });
  const cost = createPrices({ anyone: { '*': price } }).cost(record, { provider: 'anyone', listedAs, model, at: 0 });
  return { kind: record.kind, nanoUsd: cost?.nanoUsd };
};

it.each(payloads.map((payload) => [payload.vendor, payload.what, payload] as const))(
  'an answer of %s costs what the vendor charges: %s',
  (_vendor, _what, payload) => {
    expect(toCost(payload)).toEqual({ kind: 'reported', nanoUsd: toNano(payload) });
    expect(toCost(payload, true)).toEqual({ kind: 'reported', nanoUsd: toNano(payload) });
  },
);
