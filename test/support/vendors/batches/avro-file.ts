import { buffer } from 'node:stream/consumers';
import avro, { type Type } from 'avsc';

/** A file of Avro with some records, as another implementation than the gateway's writes it. */
export const avroFile = (
  type: Type,
  records: readonly unknown[],
  { codec = 'null', blockSize }: { readonly codec?: 'null' | 'deflate'; readonly blockSize?: number } = {},
): Promise<Buffer> => {
  // Its declared types know no types in place of schemas, and no names of codecs.
  const options = { codec, ...(blockSize === undefined ? {} : { blockSize }) } as never;
  const encoder = new avro.streams.BlockEncoder(type as never, options);
  for (const record of records) encoder.write(record);
  encoder.end();
  return buffer(encoder);
};
