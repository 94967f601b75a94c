import type { TestUpstream } from '../../upstream-server.ts';
import type { BucketObjects } from '../storage/bucket-objects.ts';

/** A provider of batches, as its documentation says it is spoken to. */
export interface BatchVendor {
  readonly upstream: TestUpstream;
  /** Lets all batches that run come to their end: requests that say `fail` have failed, in batches that are cancelled none has run. */
  finish(): void;
}

/** One whose batches have their lines in a bucket. */
export interface StoringVendor extends BatchVendor {
  readonly bucket: BucketObjects;
}

/** The text of the only message of a chat. */
export const toAsked = (body: { readonly messages: readonly { readonly content: unknown }[] }): string => {
  const content = body.messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
};
