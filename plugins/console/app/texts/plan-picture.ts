/** The texts of pictures of plans. */
export const planPictureTexts = {
  name: (plan: string): string => `Plan ${plan}`,
  tools: 'Show the plan as',
  asPicture: 'Picture',
  asList: 'List',
  smaller: 'Zoom out',
  larger: 'Zoom in',
  save: 'Save as SVG',
  kinds: {
    leaf: 'target',
    loadbalance: 'load balance',
    fallback: 'fallback',
    conditional: 'conditional',
    more: 'not drawn',
  },
  visited: {
    passed: 'the request passed through here',
    answered: 'the request was answered here',
    failed: 'the request failed here',
  },
  help: 'Select a node to see its details. The arrow keys move between nodes; + and - zoom.',
} as const;
