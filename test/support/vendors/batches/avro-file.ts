import { buffer } from 'node:stream/consumers';
import avro, { type Type } from 'avsc';

/** Creates an Avro file with some records, with a different implementation than the gateway's. */
export const avroFile = (
  type: Type,
  records: readonly unknown[],
  { codec = 'null', blockSize }: { readonly codec?: 'null' | 'deflate'; readonly blockSize?: number } = {},
): Promise<Buffer> => {
  // Its declared types accept neither types in place of schemas nor names of codecs.
  const options = { codec, ...(blockSize === undefined ? {} : { blockSize }) } as never;
  const encoder = new avro.streams.BlockEncoder(type as never, options);
  for (const record of records) encoder.write(record);
  encoder.end();
  return buffer(encoder);
};
