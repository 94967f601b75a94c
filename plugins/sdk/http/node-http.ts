const http: typeof import('node:http') = process.getBuiltinModule('node:http');

// Not `import … from 'node:http'`: an ES module of it has all its exports read, and those for WebSocket load Node's own
// copy of undici, which nothing here uses: a tenth of the time until the gateway serves, and 13 MB.
export const Agent: typeof http.Agent = http.Agent;
export const createServer: typeof http.createServer = http.createServer;
export const IncomingMessage: typeof http.IncomingMessage = http.IncomingMessage;
export const METHODS: readonly string[] = http.METHODS;
export const request: typeof http.request = http.request;
export const STATUS_CODES: typeof http.STATUS_CODES = http.STATUS_CODES;
export const validateHeaderValue: typeof http.validateHeaderValue = http.validateHeaderValue;
