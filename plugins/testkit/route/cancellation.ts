export { createCancellation, neverCancelled } from '../../sdk/time/cancellation.ts';
