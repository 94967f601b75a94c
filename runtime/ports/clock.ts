export type { Clock } from '../../plugins/sdk/clock.ts';
