/** The texts of pictures of plans. */
export const planPictureTexts = {
  name: (plan: string): string => `The plan ${plan}`,
  tools: 'How the plan is shown',
  asPicture: 'Picture',
  asList: 'List',
  smaller: 'Smaller',
  larger: 'Larger',
  save: 'Save as SVG',
  kinds: {
    leaf: 'target',
    loadbalance: 'load balance',
    fallback: 'fallback',
    conditional: 'conditional',
    more: 'not drawn',
  },
  visited: {
    passed: 'the request came by',
    answered: 'the request was answered here',
    failed: 'the request failed here',
  },
  help: 'Select a node to read all of it. Arrow keys go from node to node, and + and - change the size.',
} as const;
