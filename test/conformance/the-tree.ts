import { appFile } from './agent-file';

/**
 * All that a run may stand in the middle of: agents in a row, side by side and in a loop, an agent that is a tool, a
 * call that a human has to allow, and `temp:` state that later agents read.
 *
 * @param plugins of the app, as source @param before declares what they are made of
 */
export function theTree(plugins = '', before = ''): string {
  return appFile(
    `rootAgent: new SequentialAgent({
      name: 'flow',
      subAgents: [
        agent('writer', [says(calls('expert', { request: 'a title' })), says(calls('publish', {}, 'p1')), says('Published.')], {
          tools: [new AgentTool({ agent: agent('expert', [says(calls('look', {})), says('Ada')], { tools: [look()] }) }), publish()],
        }),
        new ParallelAgent({ name: 'fan', subAgents: [side('a'), side('b')] }),
        new LoopAgent({ name: 'loop', subAgents: [
          agent('c', [says('Once more.'), says('Enough.', calls('exit_loop'))], { tools: [EXIT_LOOP], instruction: 'Of {temp:title?}, {a?} and {b?}.' }),
        ] }),
      ],
    }), resumabilityConfig: { isResumable: true }, plugins: [${plugins}]`,
    `
const look = () => tool('look', (_args, { state }) => { state.set('looked', (state.get('looked') ?? 0) + 1); return 'A to Z'; });
const publish = () => tool('publish', (_args, { state }) => {
  state.set('temp:title', 'Ada');
  state.set('published', (state.get('published') ?? 0) + 1);
  return 'out';
}, { requireConfirmation: true });
const count = () => tool('count', ({ of }, { state }) => { state.set(of + ':counted', 1); return of; });
const side = (name) => agent(name, [says(calls('count', { of: name })), says('Done by ' + name + '.')], {
  tools: [count()], outputKey: name, instruction: 'Title: {temp:title?}.',
});
${before}`,
  );
}
