/** The code of leaves with circuits. */
export { Probes } from '../../../in-memory/probes.ts';
export { linkBreaker } from './breaker.ts';
export { circuitReader, probeReader } from './leaf-circuits.ts';
export { linkCircuits } from './link-circuits.ts';
