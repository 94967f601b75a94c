import { describe, expect, it } from 'vitest';
import { defineRoute } from '../../../plugins/sdk/route/define-route.ts';
import { checkReply } from '../../../plugins/testkit/check-reply.ts';

const row = defineRoute({
  method: 'GET',
  path: '/things/{id}',
  operationId: 'get_thing',
  summary: 'A thing.',
  scope: null,
  replies: {
    200: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    202: 'events',
  },
  handle: () => ({ status: 200 }),
});

describe('checkReply', () => {
  it('accepts a reply that the route declares', () => {
    expect(checkReply(row, { status: 200, body: { id: 'a' } })).toEqual([]);
    expect(checkReply(row, { status: 202 })).toEqual([]);
    expect(checkReply({ ...row, replies: { default: {} } }, { status: 500, body: [] })).toEqual([]);
  });

  it('accepts every form of a status, and any body that matches one of them', () => {
    const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
    const forms = { ...row, replies: { 200: ['events', thing] } as const };
    expect(checkReply(forms, { status: 200 })).toEqual([]);
    expect(checkReply(forms, { status: 200, body: { id: 'a' } })).toEqual([]);
    expect(checkReply(forms, { status: 200, body: {} })).toEqual(['The member "id" is missing.']);
  });

  it('reports everything else', () => {
    expect(checkReply(row, { status: 404, body: {} })).toEqual(['get_thing declares no reply with the status 404.']);
    expect(checkReply(row, { status: 200 })).toEqual(['The body must be an object.']);
    expect(checkReply(row, { status: 200, body: { idd: 'a' } })).toEqual(['There is no member "idd".']);
    expect(checkReply(row, { status: 200, body: { other: 'a' } })).toEqual([
      'The member "id" is missing.',
      'There is no member "other".',
    ]);
  });
});
