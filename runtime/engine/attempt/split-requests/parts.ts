// All code for a list of texts that is sent as several requests, loaded at once and only for such a list.

export { sendParts } from './send-parts.ts';
export { withParts } from './with-parts.ts';
