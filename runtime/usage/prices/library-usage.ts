import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/** Counts by the names that the price library uses. */
export type LibraryUsage = Readonly<Record<string, number>>;

/**
 * Converts the counts of a record to those of the price library. It prices each token once: cached ones are part of the total.
 */
export const toLibraryUsage = ({
  input,
  output,
  audioSeconds,
  calls,
}: Pick<UsageRecord, 'input' | 'output' | 'audioSeconds' | 'calls'>): LibraryUsage => {
  const { '1h': hour = 0, ...writes } = input.cacheWrite ?? {};
  const written = Object.values(writes).reduce((sum, tokens) => sum + tokens, hour);
  const counts: Record<string, number | undefined> = {
    input_tokens: input.total,
    output_tokens: output.total,
    cache_read_tokens: input.cacheRead,
    cache_write_tokens: written === 0 ? undefined : written,
    cache_write_1h_tokens: hour === 0 ? undefined : hour,
    input_audio_tokens: input.audio,
    output_audio_tokens: output.audio,
    input_image_tokens: input.image,
    output_image_tokens: output.image,
    output_reasoning_tokens: output.reasoning,
    audio_seconds: audioSeconds,
    web_searches: calls?.web_search,
    storage_searches: calls?.file_search,
    rerank_searches: calls?.search,
    input_document_pages: calls?.page,
    input_annotated_document_pages: calls?.annotated_page,
    // Few vendors report the kind of cached tokens. Others are assumed to be text, as most of them are.
    ...(input.cacheRead !== undefined && {
      ...(input.audio !== undefined && { cache_audio_read_tokens: input.cacheReadAudio ?? 0 }),
      ...(input.image !== undefined && { cache_image_read_tokens: 0 }),
    }),
  };
  const known = Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return Object.fromEntries(known);
};
