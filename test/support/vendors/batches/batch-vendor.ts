import type { TestUpstream } from '../../servers/upstream-server.ts';
import type { BucketObjects } from '../storage/bucket-objects.ts';

/** A provider of batches that works as its documentation describes. */
export interface BatchVendor {
  readonly upstream: TestUpstream;
  /** Ends all running batches: requests with the text `fail` have failed, and in cancelled batches none has run. */
  finish(): void;
}

/** A vendor whose batches have their lines in a bucket. */
export interface StoringVendor extends BatchVendor {
  readonly bucket: BucketObjects;
}

/** Returns the text of the last message of a chat. */
export const toAsked = (body: { readonly messages: readonly { readonly content: unknown }[] }): string => {
  const content = body.messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
};
