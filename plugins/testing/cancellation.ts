export { createCancellation, neverCancelled } from '../sdk/cancellation.ts';
