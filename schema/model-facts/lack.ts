import type { Capability } from './capability.ts';

/**
 * Something that a request needs and a target is known to lack: a capability of its model; the `operation`, if its provider does
 * not support it at all; room in its `context`, or for an `output` of the requested length; or, in its provider's format, a way
 * to express what the request says about `parallel-tool-calls`.
 */
export type Lack = Capability | 'operation' | 'context' | 'output' | 'parallel-tool-calls';
