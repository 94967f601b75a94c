import type { Finish } from '../../../schema/conversation/answer.ts';
import { type ClientForm, encodeFinish } from '../chat/answer/finish-reasons.ts';

/** Returns one of the reasons of a text completion, which has no calls, or the provider's own if the client is not strict. */
export const encodeTextFinish = (finish: Finish, { strict }: ClientForm): string =>
  encodeFinish(finish.reason === 'tool-calls' ? { ...finish, reason: 'stop' } : finish, { strict });
