import { type ErrorReport, errorTable } from '../../../schema/errors/errors.ts';

/** Why a service that is no provider did not answer: errors are worded for providers, and say what a config can do about them. */
export const serviceReason = (
  { code, message }: Pick<ErrorReport, 'code' | 'message'>,
  what: 'service' | 'receiver',
): string => message.replace(/(?<=\b[Tt]he )provider\b/, what).replace(` ${errorTable[code].hint}`, '');
