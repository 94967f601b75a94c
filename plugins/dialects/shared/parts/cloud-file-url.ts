const cloudFileUrl = /^(?:s3|gs):\/\/|^https:\/\/generativelanguage\.googleapis\.com\//i;

/**
 * Whether a URL is that of a file which a cloud stores for holders of a key, so that no other service can load it: a file in
 * Amazon's or Google's storage, or in https://ai.google.dev/api/files.
 */
export const isCloudFileUrl = (url: string): boolean => cloudFileUrl.test(url);
