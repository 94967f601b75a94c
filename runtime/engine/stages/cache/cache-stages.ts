/** All code that only plans with caches need at run time, in one module: it is loaded at once, and only for these. */

export { linkCache } from './cache.ts';
export { createCaches } from './create-caches.ts';
export { createEmbedder } from './embedder.ts';
export { embeddingRunner } from './embedding-runner.ts';
export { withEmbedLog } from './with-embed-log.ts';
