import { type OwnMembers, topLevelMember } from '../../shared/request/own-members.ts';

/** https://docs.cohere.com/reference/chat */
export const ownMembers: OwnMembers = new Map([
  topLevelMember('citation_options'),
  topLevelMember('documents'),
  topLevelMember('safety_mode'),
]);
