import { atTop, type OwnMembers } from '../../wire/request/own-members.ts';

/** https://docs.cohere.com/reference/chat */
export const ownMembers: OwnMembers = new Map([atTop('citation_options'), atTop('documents'), atTop('safety_mode')]);
