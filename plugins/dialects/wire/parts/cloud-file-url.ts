const cloudFileUrl = /^(?:s3|gs):\/\/|^https:\/\/generativelanguage\.googleapis\.com\//i;

/**
 * Whether an address is that of a file which a cloud keeps for those with a key of it, so that no other service can load
 * it: a place in Amazon's or Google's storage, or in https://ai.google.dev/api/files.
 */
export const isCloudFileUrl = (url: string): boolean => cloudFileUrl.test(url);
