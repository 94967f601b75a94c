import type { Capability } from './capability.ts';

/**
 * Something that a request needs and a target is known not to have: a capability of its model; `operation`, where its provider
 * does not do at all what is asked; room in its `context`, or for as long an `output` as is asked for; or, in the format of its
 * provider, words for what the request says of `parallel-tool-calls`.
 */
export type Lack = Capability | 'operation' | 'context' | 'output' | 'parallel-tool-calls';
