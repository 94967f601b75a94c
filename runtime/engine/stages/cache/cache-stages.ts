/** All code that only plans with caches need at run time, in one module: it is loaded at once, and only for these. */

export { createEmbedder } from '../../cache/embedder.ts';
export { embeddingRunner } from '../../cache/embedding-runner.ts';
export { withEmbedLog } from '../../cache/with-embed-log.ts';
export { linkCache } from './cache.ts';
export { createCaches } from './create-caches.ts';
