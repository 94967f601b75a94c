const http: typeof import('node:http') = process.getBuiltinModule('node:http');

// Not `import … from 'node:http'`: importing it as an ES module reads all of its exports. Those for WebSocket load Node's own
// copy of undici, which nothing here uses. That would take a tenth of the start-up time, and 13 MB.
export const Agent: typeof http.Agent = http.Agent;
export const createServer: typeof http.createServer = http.createServer;
export const IncomingMessage: typeof http.IncomingMessage = http.IncomingMessage;
export const METHODS: readonly string[] = http.METHODS;
export const request: typeof http.request = http.request;
export const ServerResponse: typeof http.ServerResponse = http.ServerResponse;
export const STATUS_CODES: typeof http.STATUS_CODES = http.STATUS_CODES;
export const validateHeaderName: typeof http.validateHeaderName = http.validateHeaderName;
export const validateHeaderValue: typeof http.validateHeaderValue = http.validateHeaderValue;
